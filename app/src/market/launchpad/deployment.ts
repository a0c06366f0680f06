// A deployment as the APIs publish it.
import type { Deployment } from '@curvekit/sdk';
import { addressSchema } from '../../http/schemas.js';
import { z } from '../../http/zod.js';

export const deploymentSchema = z.object({
  programId: addressSchema('the program'),
  admin: addressSchema('the admin'),
  feeReceiver: addressSchema('the fee receiver'),
  dexOwner: addressSchema('the owner of the community storages'),
  graduation: z.object({
    programId: addressSchema('the graduation program'),
    treasury: addressSchema('the treasury of its fees'),
  }),
});

export function publishedDeployment(deployment: Deployment): z.output<typeof deploymentSchema> {
  const { programId, admin, feeReceiver, dexOwner, graduation } = deployment;
  return {
    programId: programId.toBase58(),
    admin: admin.toBase58(),
    feeReceiver: feeReceiver.toBase58(),
    dexOwner: dexOwner.toBase58(),
    graduation: {
      programId: graduation.programId.toBase58(),
      treasury: graduation.treasury.toBase58(),
    },
  };
}
