import type { Config } from './config.js';

/**
 * Why the admin's key should not be where the service runs; undefined when it is not. An attacker in the process could change the
 * settings of every curve. A simulated cluster has nothing to lose.
 */
export function adminKeyProblem({
  admin,
  isSimulated,
  role,
  feeReceiver,
}: Pick<Config, 'admin' | 'isSimulated' | 'role' | 'feeReceiver'>) {
  if (admin === undefined || isSimulated) return undefined;
  // The key of the fee receiver moves fees, where there is one.
  const isUsed = role !== 'api' && feeReceiver === undefined;
  return {
    /** Continues "ADMIN_KEYPAIR …". */
    problem: `is set, and who takes over this process can change the fee of every curve with it; ${isUsed ? 'the service can do without it' : 'the service does not use it'}`,
    fix: `remove it and set ADMIN_ADDRESS to ${admin.publicKey.toBase58()}; \`curvekit fees sweep --admin KEY\` moves fees`,
  };
}
