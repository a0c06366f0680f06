/** The name of the error that a call throws, and what it names: an argument, the host of a node, or a method of RPC. */
export async function refusal(call) {
  try {
    await call();
    return 'accepted';
  } catch (error) {
    return `${error.name} ${error.argument ?? error.host ?? error.method}`;
  }
}
