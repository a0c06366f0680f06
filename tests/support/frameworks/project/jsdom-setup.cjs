// jsdom's own Uint8Array is another class than the one that Node's Buffer extends. Jest's environment also lacks the encoders.
const { TextDecoder, TextEncoder } = require('node:util');
Object.assign(globalThis, { TextDecoder, TextEncoder, Uint8Array: Object.getPrototypeOf(Buffer) });
