// The Anchor framework's own error codes, as in anchor-lang-error 1.2.1. They are the same for every Anchor program and
// not part of an IDL. Each list counts up from its first code.
const CODES: readonly (readonly [first: number, names: string])[] = [
  [
    100,
    `InstructionMissing InstructionFallbackNotFound InstructionDidNotDeserialize
    InstructionDidNotSerialize`,
  ],
  [1000, 'IdlInstructionStub IdlInstructionInvalidProgram IdlAccountNotEmpty'],
  [1500, 'EventInstructionStub'],
  [
    2000,
    `ConstraintMut ConstraintHasOne ConstraintSigner ConstraintRaw ConstraintOwner ConstraintRentExempt
    ConstraintSeeds ConstraintExecutable ConstraintState ConstraintAssociated ConstraintAssociatedInit
    ConstraintClose ConstraintAddress ConstraintZero ConstraintTokenMint ConstraintTokenOwner
    ConstraintMintMintAuthority ConstraintMintFreezeAuthority ConstraintMintDecimals ConstraintSpace
    ConstraintAccountIsNone ConstraintTokenTokenProgram ConstraintMintTokenProgram
    ConstraintAssociatedTokenTokenProgram ConstraintMintGroupPointerExtension
    ConstraintMintGroupPointerExtensionAuthority ConstraintMintGroupPointerExtensionGroupAddress
    ConstraintMintGroupMemberPointerExtension ConstraintMintGroupMemberPointerExtensionAuthority
    ConstraintMintGroupMemberPointerExtensionMemberAddress ConstraintMintMetadataPointerExtension
    ConstraintMintMetadataPointerExtensionAuthority
    ConstraintMintMetadataPointerExtensionMetadataAddress ConstraintMintCloseAuthorityExtension
    ConstraintMintCloseAuthorityExtensionAuthority ConstraintMintPermanentDelegateExtension
    ConstraintMintPermanentDelegateExtensionDelegate ConstraintMintTransferHookExtension
    ConstraintMintTransferHookExtensionAuthority ConstraintMintTransferHookExtensionProgramId
    ConstraintDuplicateMutableAccount AccountAlreadyMigrated AccountNotMigrated
    ConstraintMintPausableExtension ConstraintMintPausableAuthority`,
  ],
  [
    2500,
    `RequireViolated RequireEqViolated RequireKeysEqViolated RequireNeqViolated RequireKeysNeqViolated
    RequireGtViolated RequireGteViolated`,
  ],
  [
    3000,
    `AccountDiscriminatorAlreadySet AccountDiscriminatorNotFound AccountDiscriminatorMismatch
    AccountDidNotDeserialize AccountDidNotSerialize AccountNotEnoughKeys AccountNotMutable
    AccountOwnedByWrongProgram InvalidProgramId InvalidProgramExecutable AccountNotSigner
    AccountNotSystemOwned AccountNotInitialized AccountNotProgramData AccountNotAssociatedTokenAccount
    AccountSysvarMismatch AccountReallocExceedsLimit AccountDuplicateReallocs`,
  ],
  [4100, 'DeclaredProgramIdMismatch TryingToInitPayerAsProgramAccount InvalidNumericConversion'],
  [5000, 'Deprecated'],
];

/** Anchor's name of a framework error code. Undefined for any other code. */
export function frameworkErrorName(code: number): string | undefined {
  for (const [first, names] of CODES) {
    const name = names.split(/\s+/)[code - first];
    if (name !== undefined) return name;
  }
  return undefined;
}
