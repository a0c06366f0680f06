// Generated from programs/artifacts/bonding_curve.json by scripts/generate-sdk. Do not edit: run `npm run generate:sdk`.

/** The IDL's type, names in camelCase as @coral-xyz/anchor uses them. */
export type BondingCurve = {
  address: 'Curvtsj62BXaMwSmXD7kdYfviaWiE3tcDVQKH4KWAxSH';
  metadata: {
    name: 'bondingCurve';
    version: '0.1.0';
    spec: '0.1.0';
    description: 'Curvekit: tokens created, traded, graduated and migrated on a constant-product bonding curve';
  };
  docs: [
    "The events of this IDL are log records. The program logs a record as the data of a call to its own `validate_log_record`, behind the discriminator and the arguments of that instruction, and not as a line of the log (only `MigrateRecord` is a line too). So Anchor's `EventParser` and `addEventListener` do not hear them: read the inner instructions of a transaction, as `decodeRecords` and `subscribeRecords` of `@curvekit/sdk` and `curvekit-client` in Rust do.",
  ];
  instructions: [
    {
      name: 'adminSetProperties';
      docs: [
        'Sets the properties of the launchpad; the first call creates their account. A later change touches new tokens',
        'only, except the fee, which every trade reads live.',
        '',
        '**Authority**: the admin signs as `admin_account`.',
        '',
        "**Accounts**: the rent of the first call is paid by the admin where it is the transaction's fee payer, or by",
        'lamports sent ahead to `properties_account`.',
        '',
        '**Arguments**',
        '- `initial_virtual_sol`: lamports, above zero; at the graduation of a curve the reserve must still fit 64 bits',
        '- `initial_virtual_token`: smallest token units, above the supply and below supply + graduation reserve',
        '- `platform_fee_bps`: basis points, at most 1,000',
        '- `bump`: canonical bump of `properties_account`',
        '',
        '**Errors**: `LogicalError` for a value out of bounds, for reserves from which no curve could graduate',
        '(`initial_virtual_sol · initial_virtual_token` above graduation reserve · (2^64 − 1)), or a non-canonical bump.',
      ];
      discriminator: [184, 196, 94, 79, 50, 77, 206, 137];
      accounts: [
        {
          name: 'adminAccount';
          docs: [
            'The admin this program was built with. Not writable: it pays the rent of the first call only where it is',
            "the transaction's fee payer too.",
          ];
          signer: true;
          address: '2JtnRdG7nsPDvBRq4FfuzNLY7xoCaX9kD4bGutPHjH4Q';
        },
        {
          name: 'propertiesAccount';
          writable: true;
          address: '72UttUvzV6rs1QbAvW1C71USdmTrqe17fkeYF9apazCo';
          pda: {
            seeds: [
              {
                kind: 'const';
                value: [115, 101, 116, 116, 105, 110, 103, 115];
              },
            ];
          };
        },
        {
          name: 'systemProgram';
          address: '11111111111111111111111111111111';
        },
        {
          name: 'rentSysvar';
          address: 'SysvarRent111111111111111111111111111111111';
        },
      ];
      args: [
        {
          name: 'initialVirtualSol';
          type: 'u64';
        },
        {
          name: 'initialVirtualToken';
          type: 'u64';
        },
        {
          name: 'platformFeeBps';
          type: 'u16';
        },
        {
          name: 'bump';
          type: 'u8';
        },
      ];
    },
    {
      name: 'buyToken';
      docs: [
        'Buys tokens for up to `sol_to_spend` lamports. The buy that reaches the graduation reserve is clipped to it,',
        'leaves the rest with the buyer and finalizes the curve.',
        '',
        '**Authority**: `payer_account` signs, pays, and owns `user_token_account`.',
        '',
        '**Accounts**: `owner_token_account` is the vault, `fee_account` the fee receiver.',
        '',
        '**Arguments**',
        '- `pda_token_nonce`: bump of the curve account',
        '- `sol_to_spend`: lamports, fee included',
        '- `min_token_to_receive`: smallest token units; when the buy is clipped it binds the price instead of the',
        'amount: `out · sol_to_spend ≥ min_token_to_receive · (net + fee)`',
        '- `logging_account_bump`: canonical bump of the log authority',
        '',
        '**Errors**: `BondingCurveDoesNotMatchMint`, `TradingClosed`, `SlippageError`, `WrongFeeReceiver`; `LogicalError`',
        'for zero lamports, lamports that buy nothing, or a non-canonical `logging_account_bump`.',
      ];
      discriminator: [138, 127, 14, 91, 38, 87, 115, 105];
      accounts: [
        {
          name: 'payerAccount';
          docs: ['The trader: pays the SOL and the fee, owns `user_token_account`.'];
          writable: true;
          signer: true;
        },
        {
          name: 'systemProgram';
          address: '11111111111111111111111111111111';
        },
        {
          name: 'tokenProgram';
          address: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
        },
        {
          name: 'tokenOwnerPda';
          docs: ['The curve of `token_mint`.'];
          writable: true;
          pda: {
            seeds: [
              {
                kind: 'const';
                value: [116, 111, 107, 101, 110, 95, 111, 119, 110, 101, 114];
              },
              {
                kind: 'account';
                path: 'tokenMint';
              },
            ];
          };
        },
        {
          name: 'tokenMint';
        },
        {
          name: 'ownerTokenAccount';
          docs: ['The vault. The token program debits it.'];
          writable: true;
          pda: {
            seeds: [
              {
                kind: 'account';
                path: 'tokenOwnerPda';
              },
              {
                kind: 'const';
                value: [
                  6,
                  221,
                  246,
                  225,
                  215,
                  101,
                  161,
                  147,
                  217,
                  203,
                  225,
                  70,
                  206,
                  235,
                  121,
                  172,
                  28,
                  180,
                  133,
                  237,
                  95,
                  91,
                  55,
                  145,
                  58,
                  140,
                  245,
                  133,
                  126,
                  255,
                  0,
                  169,
                ];
              },
              {
                kind: 'account';
                path: 'tokenMint';
              },
            ];
            program: {
              kind: 'const';
              value: [
                140,
                151,
                37,
                143,
                78,
                36,
                137,
                241,
                187,
                61,
                16,
                41,
                20,
                142,
                13,
                131,
                11,
                90,
                19,
                153,
                218,
                255,
                16,
                132,
                4,
                142,
                123,
                216,
                219,
                233,
                248,
                89,
              ];
            };
          };
        },
        {
          name: 'userTokenAccount';
          docs: ["The trader's token account of this mint."];
          writable: true;
          pda: {
            seeds: [
              {
                kind: 'account';
                path: 'payerAccount';
              },
              {
                kind: 'const';
                value: [
                  6,
                  221,
                  246,
                  225,
                  215,
                  101,
                  161,
                  147,
                  217,
                  203,
                  225,
                  70,
                  206,
                  235,
                  121,
                  172,
                  28,
                  180,
                  133,
                  237,
                  95,
                  91,
                  55,
                  145,
                  58,
                  140,
                  245,
                  133,
                  126,
                  255,
                  0,
                  169,
                ];
              },
              {
                kind: 'account';
                path: 'tokenMint';
              },
            ];
            program: {
              kind: 'const';
              value: [
                140,
                151,
                37,
                143,
                78,
                36,
                137,
                241,
                187,
                61,
                16,
                41,
                20,
                142,
                13,
                131,
                11,
                90,
                19,
                153,
                218,
                255,
                16,
                132,
                4,
                142,
                123,
                216,
                219,
                233,
                248,
                89,
              ];
            };
          };
        },
        {
          name: 'feeAccount';
          writable: true;
          address: '4w7rDkyPkBYnkzMuxowXTpdznLsSmG4rQFqDYCCQ2PRv';
        },
        {
          name: 'propertiesAccount';
          address: '72UttUvzV6rs1QbAvW1C71USdmTrqe17fkeYF9apazCo';
          pda: {
            seeds: [
              {
                kind: 'const';
                value: [115, 101, 116, 116, 105, 110, 103, 115];
              },
            ];
          };
        },
        {
          name: 'programAccount';
          address: 'Curvtsj62BXaMwSmXD7kdYfviaWiE3tcDVQKH4KWAxSH';
        },
        {
          name: 'logAuthorityAccount';
          address: 'EQ5yiFbab8GYLr8FojEnWrXYebKEKHNqEarwRzSAhgHA';
          pda: {
            seeds: [
              {
                kind: 'const';
                value: [108, 111, 103, 103, 105, 110, 103, 95, 97, 117, 116, 104, 111, 114, 105, 116, 121];
              },
            ];
          };
        },
      ];
      args: [
        {
          name: 'pdaTokenNonce';
          type: 'u8';
        },
        {
          name: 'solToSpend';
          type: 'u64';
        },
        {
          name: 'minTokenToReceive';
          type: 'u64';
        },
        {
          name: 'loggingAccountBump';
          type: 'u8';
        },
      ];
    },
    {
      name: 'createToken';
      docs: [
        'Creates a token: mint, curve, vault, metadata and two community storages; the whole supply goes to the vault.',
        '',
        '**Authority**: anyone; `payer_account` signs, pays every rent and is recorded as the creator. `token_mint` does',
        'not sign: the client creates the 82-byte account, owned by the token program, in the same transaction.',
        '',
        '**Accounts**: the settings must exist. Lamports sent ahead to any new account do not block the creation.',
        '',
        '**Arguments**',
        '- `pda_token_nonce`: canonical bump of the curve account',
        '- `uri` (1–200 bytes), `name` (1–32 bytes), `symbol` (1–10 bytes): of the metadata, UTF-8',
        '- `after_migration_fee`: share of the migrated liquidity for the community, in basis points: 0, 25, 50, 100,',
        '200 or 500',
        '- `after_migration_burn_bp`, `after_migration_holders_bp`, `after_migration_lp_bp`: how a community settlement',
        "is split, in basis points, at most 10,000 together; the rest is the creator's",
        '- `logging_account_bump`: canonical bump of the log authority',
        '',
        "**Errors**: `BondingCurveDoesNotMatchMint` for a curve account, vault or nonce that is not the mint's;",
        '`LogicalError` for a value out of bounds, a mint that is initialised already, a storage at another address or',
        'a non-canonical `logging_account_bump`.',
      ];
      discriminator: [84, 52, 204, 228, 24, 140, 234, 75];
      accounts: [
        {
          name: 'propertiesAccount';
          writable: true;
          address: '72UttUvzV6rs1QbAvW1C71USdmTrqe17fkeYF9apazCo';
          pda: {
            seeds: [
              {
                kind: 'const';
                value: [115, 101, 116, 116, 105, 110, 103, 115];
              },
            ];
          };
        },
        {
          name: 'payerAccount';
          docs: ['The creator: pays for every account.'];
          writable: true;
          signer: true;
        },
        {
          name: 'tokenProgram';
          address: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
        },
        {
          name: 'systemProgram';
          address: '11111111111111111111111111111111';
        },
        {
          name: 'ataProgram';
          address: 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
        },
        {
          name: 'tokenMint';
          writable: true;
        },
        {
          name: 'tokenOwnerPda';
          writable: true;
          pda: {
            seeds: [
              {
                kind: 'const';
                value: [116, 111, 107, 101, 110, 95, 111, 119, 110, 101, 114];
              },
              {
                kind: 'account';
                path: 'tokenMint';
              },
            ];
          };
        },
        {
          name: 'tokenOwnerTokenAccount';
          writable: true;
          pda: {
            seeds: [
              {
                kind: 'account';
                path: 'tokenOwnerPda';
              },
              {
                kind: 'const';
                value: [
                  6,
                  221,
                  246,
                  225,
                  215,
                  101,
                  161,
                  147,
                  217,
                  203,
                  225,
                  70,
                  206,
                  235,
                  121,
                  172,
                  28,
                  180,
                  133,
                  237,
                  95,
                  91,
                  55,
                  145,
                  58,
                  140,
                  245,
                  133,
                  126,
                  255,
                  0,
                  169,
                ];
              },
              {
                kind: 'account';
                path: 'tokenMint';
              },
            ];
            program: {
              kind: 'const';
              value: [
                140,
                151,
                37,
                143,
                78,
                36,
                137,
                241,
                187,
                61,
                16,
                41,
                20,
                142,
                13,
                131,
                11,
                90,
                19,
                153,
                218,
                255,
                16,
                132,
                4,
                142,
                123,
                216,
                219,
                233,
                248,
                89,
              ];
            };
          };
        },
        {
          name: 'tokenMetadataProgram';
          address: 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s';
        },
        {
          name: 'tokenMetadata';
          writable: true;
          pda: {
            seeds: [
              {
                kind: 'const';
                value: [109, 101, 116, 97, 100, 97, 116, 97];
              },
              {
                kind: 'const';
                value: [
                  11,
                  112,
                  101,
                  177,
                  227,
                  209,
                  124,
                  69,
                  56,
                  157,
                  82,
                  127,
                  107,
                  4,
                  195,
                  205,
                  88,
                  184,
                  108,
                  115,
                  26,
                  160,
                  253,
                  181,
                  73,
                  182,
                  209,
                  188,
                  3,
                  248,
                  41,
                  70,
                ];
              },
              {
                kind: 'account';
                path: 'tokenMint';
              },
            ];
            program: {
              kind: 'const';
              value: [
                11,
                112,
                101,
                177,
                227,
                209,
                124,
                69,
                56,
                157,
                82,
                127,
                107,
                4,
                195,
                205,
                88,
                184,
                108,
                115,
                26,
                160,
                253,
                181,
                73,
                182,
                209,
                188,
                3,
                248,
                41,
                70,
              ];
            };
          };
        },
        {
          name: 'afterMigrationCommunityContributionWsolStorage';
          writable: true;
          pda: {
            seeds: [
              {
                kind: 'const';
                value: [99, 111, 109, 109, 117, 110, 105, 116, 121, 95, 119, 115, 111, 108];
              },
              {
                kind: 'account';
                path: 'tokenMint';
              },
            ];
          };
        },
        {
          name: 'afterMigrationCommunityContributionTokenStorage';
          writable: true;
          pda: {
            seeds: [
              {
                kind: 'const';
                value: [99, 111, 109, 109, 117, 110, 105, 116, 121, 95, 116, 111, 107, 101, 110];
              },
              {
                kind: 'account';
                path: 'tokenMint';
              },
            ];
          };
        },
        {
          name: 'rentSysvar';
          address: 'SysvarRent111111111111111111111111111111111';
        },
        {
          name: 'nativeMint';
          address: 'So11111111111111111111111111111111111111112';
        },
        {
          name: 'dexOwner';
          address: 'BGHj9CCz7bfm36DPikjs7TpV8tkLC7j4ys7U9qWrJ4Qy';
        },
        {
          name: 'programAccount';
          address: 'Curvtsj62BXaMwSmXD7kdYfviaWiE3tcDVQKH4KWAxSH';
        },
        {
          name: 'logAuthorityAccount';
          address: 'EQ5yiFbab8GYLr8FojEnWrXYebKEKHNqEarwRzSAhgHA';
          pda: {
            seeds: [
              {
                kind: 'const';
                value: [108, 111, 103, 103, 105, 110, 103, 95, 97, 117, 116, 104, 111, 114, 105, 116, 121];
              },
            ];
          };
        },
      ];
      args: [
        {
          name: 'pdaTokenNonce';
          type: 'u8';
        },
        {
          name: 'uri';
          type: 'string';
        },
        {
          name: 'name';
          type: 'string';
        },
        {
          name: 'symbol';
          type: 'string';
        },
        {
          name: 'afterMigrationFee';
          type: 'u16';
        },
        {
          name: 'afterMigrationBurnBp';
          type: 'u16';
        },
        {
          name: 'afterMigrationHoldersBp';
          type: 'u16';
        },
        {
          name: 'afterMigrationLpBp';
          type: 'u16';
        },
        {
          name: 'loggingAccountBump';
          type: 'u8';
        },
      ];
    },
    {
      name: 'migrate';
      docs: [
        'Empties a finalized curve, once: every lamport above its rent and every token of its vault go to the fee',
        'receiver, who lists them on a DEX. Donations included.',
        '',
        '**Authority**: the fee receiver signs as `fee_account`.',
        '',
        "**Accounts**: `fee_token_account` is the fee receiver's token account of this mint.",
        '',
        '**Arguments**: `pda_token_nonce`, bump of the curve account.',
        '',
        '**Errors**: `BondingCurveDoesNotMatchMint`; `NotReadyToMigrate` while trading; `WrongFeeReceiver`;',
        '`LogicalError` when migrated already.',
      ];
      discriminator: [155, 234, 231, 146, 236, 158, 162, 30];
      accounts: [
        {
          name: 'tokenMint';
        },
        {
          name: 'tokenProgram';
          address: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
        },
        {
          name: 'tokenOwnerPda';
          docs: ['The curve of `token_mint`.'];
          writable: true;
          pda: {
            seeds: [
              {
                kind: 'const';
                value: [116, 111, 107, 101, 110, 95, 111, 119, 110, 101, 114];
              },
              {
                kind: 'account';
                path: 'tokenMint';
              },
            ];
          };
        },
        {
          name: 'feeAccount';
          docs: ['The fee receiver: authorises the migration and receives the SOL.'];
          writable: true;
          signer: true;
          address: '4w7rDkyPkBYnkzMuxowXTpdznLsSmG4rQFqDYCCQ2PRv';
        },
        {
          name: 'tokenOwnerTokenAccount';
          writable: true;
          pda: {
            seeds: [
              {
                kind: 'account';
                path: 'tokenOwnerPda';
              },
              {
                kind: 'const';
                value: [
                  6,
                  221,
                  246,
                  225,
                  215,
                  101,
                  161,
                  147,
                  217,
                  203,
                  225,
                  70,
                  206,
                  235,
                  121,
                  172,
                  28,
                  180,
                  133,
                  237,
                  95,
                  91,
                  55,
                  145,
                  58,
                  140,
                  245,
                  133,
                  126,
                  255,
                  0,
                  169,
                ];
              },
              {
                kind: 'account';
                path: 'tokenMint';
              },
            ];
            program: {
              kind: 'const';
              value: [
                140,
                151,
                37,
                143,
                78,
                36,
                137,
                241,
                187,
                61,
                16,
                41,
                20,
                142,
                13,
                131,
                11,
                90,
                19,
                153,
                218,
                255,
                16,
                132,
                4,
                142,
                123,
                216,
                219,
                233,
                248,
                89,
              ];
            };
          };
        },
        {
          name: 'feeTokenAccount';
          docs: ["The fee receiver's token account of this mint."];
          writable: true;
          pda: {
            seeds: [
              {
                kind: 'account';
                path: 'feeAccount';
              },
              {
                kind: 'const';
                value: [
                  6,
                  221,
                  246,
                  225,
                  215,
                  101,
                  161,
                  147,
                  217,
                  203,
                  225,
                  70,
                  206,
                  235,
                  121,
                  172,
                  28,
                  180,
                  133,
                  237,
                  95,
                  91,
                  55,
                  145,
                  58,
                  140,
                  245,
                  133,
                  126,
                  255,
                  0,
                  169,
                ];
              },
              {
                kind: 'account';
                path: 'tokenMint';
              },
            ];
            program: {
              kind: 'const';
              value: [
                140,
                151,
                37,
                143,
                78,
                36,
                137,
                241,
                187,
                61,
                16,
                41,
                20,
                142,
                13,
                131,
                11,
                90,
                19,
                153,
                218,
                255,
                16,
                132,
                4,
                142,
                123,
                216,
                219,
                233,
                248,
                89,
              ];
            };
          };
        },
      ];
      args: [
        {
          name: 'pdaTokenNonce';
          type: 'u8';
        },
      ];
    },
    {
      name: 'sellToken';
      docs: [
        'Sells exactly `token_to_spend` token units.',
        '',
        '**Authority**: `payer_account` signs, receives the SOL, and owns `user_token_account`.',
        '',
        '**Accounts**: `owner_token_account` is the vault, `fee_account` the fee receiver.',
        '',
        '**Arguments**',
        '- `pda_token_nonce`: bump of the curve account',
        '- `token_to_spend`: smallest token units',
        '- `min_sol_to_receive`: lamports after the fee',
        '- `logging_account_bump`: canonical bump of the log authority',
        '',
        '**Errors**: `BondingCurveDoesNotMatchMint`, `TradingClosed`, `SlippageError`, `WrongFeeReceiver`; `LogicalError`',
        'for zero tokens, tokens that yield nothing after the fee, or a non-canonical `logging_account_bump`.',
      ];
      discriminator: [109, 61, 40, 187, 230, 176, 135, 174];
      accounts: [
        {
          name: 'payerAccount';
          docs: ['The trader: receives the SOL, owns `user_token_account`.'];
          writable: true;
          signer: true;
        },
        {
          name: 'tokenProgram';
          address: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
        },
        {
          name: 'tokenOwnerPda';
          docs: ['The curve of `token_mint`.'];
          writable: true;
          pda: {
            seeds: [
              {
                kind: 'const';
                value: [116, 111, 107, 101, 110, 95, 111, 119, 110, 101, 114];
              },
              {
                kind: 'account';
                path: 'tokenMint';
              },
            ];
          };
        },
        {
          name: 'tokenMint';
        },
        {
          name: 'ownerTokenAccount';
          writable: true;
          pda: {
            seeds: [
              {
                kind: 'account';
                path: 'tokenOwnerPda';
              },
              {
                kind: 'const';
                value: [
                  6,
                  221,
                  246,
                  225,
                  215,
                  101,
                  161,
                  147,
                  217,
                  203,
                  225,
                  70,
                  206,
                  235,
                  121,
                  172,
                  28,
                  180,
                  133,
                  237,
                  95,
                  91,
                  55,
                  145,
                  58,
                  140,
                  245,
                  133,
                  126,
                  255,
                  0,
                  169,
                ];
              },
              {
                kind: 'account';
                path: 'tokenMint';
              },
            ];
            program: {
              kind: 'const';
              value: [
                140,
                151,
                37,
                143,
                78,
                36,
                137,
                241,
                187,
                61,
                16,
                41,
                20,
                142,
                13,
                131,
                11,
                90,
                19,
                153,
                218,
                255,
                16,
                132,
                4,
                142,
                123,
                216,
                219,
                233,
                248,
                89,
              ];
            };
          };
        },
        {
          name: 'userTokenAccount';
          docs: ["The trader's token account of this mint."];
          writable: true;
          pda: {
            seeds: [
              {
                kind: 'account';
                path: 'payerAccount';
              },
              {
                kind: 'const';
                value: [
                  6,
                  221,
                  246,
                  225,
                  215,
                  101,
                  161,
                  147,
                  217,
                  203,
                  225,
                  70,
                  206,
                  235,
                  121,
                  172,
                  28,
                  180,
                  133,
                  237,
                  95,
                  91,
                  55,
                  145,
                  58,
                  140,
                  245,
                  133,
                  126,
                  255,
                  0,
                  169,
                ];
              },
              {
                kind: 'account';
                path: 'tokenMint';
              },
            ];
            program: {
              kind: 'const';
              value: [
                140,
                151,
                37,
                143,
                78,
                36,
                137,
                241,
                187,
                61,
                16,
                41,
                20,
                142,
                13,
                131,
                11,
                90,
                19,
                153,
                218,
                255,
                16,
                132,
                4,
                142,
                123,
                216,
                219,
                233,
                248,
                89,
              ];
            };
          };
        },
        {
          name: 'feeAccount';
          writable: true;
          address: '4w7rDkyPkBYnkzMuxowXTpdznLsSmG4rQFqDYCCQ2PRv';
        },
        {
          name: 'programAccount';
          address: 'Curvtsj62BXaMwSmXD7kdYfviaWiE3tcDVQKH4KWAxSH';
        },
        {
          name: 'propertiesAccount';
          address: '72UttUvzV6rs1QbAvW1C71USdmTrqe17fkeYF9apazCo';
          pda: {
            seeds: [
              {
                kind: 'const';
                value: [115, 101, 116, 116, 105, 110, 103, 115];
              },
            ];
          };
        },
        {
          name: 'logAuthorityAccount';
          address: 'EQ5yiFbab8GYLr8FojEnWrXYebKEKHNqEarwRzSAhgHA';
          pda: {
            seeds: [
              {
                kind: 'const';
                value: [108, 111, 103, 103, 105, 110, 103, 95, 97, 117, 116, 104, 111, 114, 105, 116, 121];
              },
            ];
          };
        },
      ];
      args: [
        {
          name: 'pdaTokenNonce';
          type: 'u8';
        },
        {
          name: 'tokenToSpend';
          type: 'u64';
        },
        {
          name: 'minSolToReceive';
          type: 'u64';
        },
        {
          name: 'loggingAccountBump';
          type: 'u8';
        },
      ];
    },
    {
      name: 'validateLogRecord';
      docs: [
        'Accepts a log record: the bytes behind `logging_account_bump`, which the program itself appends.',
        '',
        '**Authority**: the log-authority PDA, so only this program, calling itself.',
        '',
        '**Arguments**: `logging_account_bump`, canonical bump of the log authority.',
        '',
        "**Errors**: `LogicalError` for a non-canonical bump; Anchor's own for another or missing signer.",
      ];
      discriminator: [172, 61, 131, 190, 98, 217, 155, 176];
      accounts: [
        {
          name: 'loggingAuthority';
          docs: ['The log-authority PDA. Only this program can make it sign.'];
          signer: true;
          address: 'EQ5yiFbab8GYLr8FojEnWrXYebKEKHNqEarwRzSAhgHA';
          pda: {
            seeds: [
              {
                kind: 'const';
                value: [108, 111, 103, 103, 105, 110, 103, 95, 97, 117, 116, 104, 111, 114, 105, 116, 121];
              },
            ];
          };
        },
      ];
      args: [
        {
          name: 'loggingAccountBump';
          type: 'u8';
        },
      ];
    },
  ];
  accounts: [
    {
      name: 'properties';
      discriminator: [159, 174, 50, 69, 56, 172, 223, 135];
    },
    {
      name: 'tokenOwnerData';
      discriminator: [83, 18, 112, 20, 26, 99, 35, 89];
    },
  ];
  events: [
    {
      name: 'createRecord';
      discriminator: [215, 219, 57, 58, 149, 231, 70, 147];
    },
    {
      name: 'migrateRecord';
      discriminator: [156, 225, 187, 205, 220, 254, 47, 216];
    },
    {
      name: 'tradeRecord';
      discriminator: [190, 168, 133, 228, 17, 212, 185, 128];
    },
  ];
  errors: [
    {
      code: 6000;
      name: 'bondingCurveDoesNotMatchMint';
      msg: 'Bonding curve does not match mint';
    },
    {
      code: 6001;
      name: 'tradingClosed';
      msg: 'Trading for this token is closed';
    },
    {
      code: 6002;
      name: 'notReadyToMigrate';
      msg: 'Token is not ready to migrate';
    },
    {
      code: 6003;
      name: 'slippageError';
      msg: 'Slippage error';
    },
    {
      code: 6004;
      name: 'wrongFeeReceiver';
      msg: 'Wrong fee receiver';
    },
    {
      code: 6005;
      name: 'logicalError';
      msg: 'Logical error';
    },
  ];
  types: [
    {
      name: 'createRecord';
      docs: ['A token was created.'];
      type: {
        kind: 'struct';
        fields: [
          {
            name: 'mint';
            type: 'pubkey';
          },
          {
            name: 'creator';
            type: 'pubkey';
          },
          {
            name: 'tokenOwnerPda';
            docs: ['The curve account.'];
            type: 'pubkey';
          },
          {
            name: 'name';
            type: 'string';
          },
          {
            name: 'symbol';
            type: 'string';
          },
          {
            name: 'uri';
            type: 'string';
          },
          {
            name: 'afterMigrationFee';
            docs: ['Share of the migrated liquidity for the community storages, in basis points.'];
            type: 'u16';
          },
          {
            name: 'burnBp';
            docs: ["Burned share of a settlement's tokens, in basis points."];
            type: 'u16';
          },
          {
            name: 'holdersBp';
            docs: ["Holders' share of a settlement, in basis points. Kept here only, not on chain."];
            type: 'u16';
          },
          {
            name: 'lpBp';
            docs: ["Liquidity's share of a settlement, in basis points. Kept here only, not on chain."];
            type: 'u16';
          },
          {
            name: 'virtualSol';
            docs: ['Initial virtual SOL reserve in lamports.'];
            type: 'u64';
          },
          {
            name: 'virtualToken';
            docs: ['Initial virtual token reserve in smallest units.'];
            type: 'u64';
          },
          {
            name: 'platformFeeBps';
            docs: ['Platform fee at creation, in basis points.'];
            type: 'u16';
          },
          {
            name: 'timestamp';
            docs: ["Unix seconds of the cluster's clock."];
            type: 'i64';
          },
        ];
      };
    },
    {
      name: 'migrateRecord';
      docs: [
        'A graduated curve was emptied. Logged with `sol_log_data`: the instruction has no log authority in its accounts.',
      ];
      type: {
        kind: 'struct';
        fields: [
          {
            name: 'mint';
            type: 'pubkey';
          },
          {
            name: 'feeAccount';
            type: 'pubkey';
          },
          {
            name: 'solAmount';
            docs: ['Lamports moved to the fee receiver.'];
            type: 'u64';
          },
          {
            name: 'tokenAmount';
            docs: ["Token units moved to the fee receiver's token account."];
            type: 'u64';
          },
          {
            name: 'timestamp';
            docs: ["Unix seconds of the cluster's clock."];
            type: 'i64';
          },
        ];
      };
    },
    {
      name: 'properties';
      docs: ["The launchpad's settings: one account, changed by the admin only."];
      type: {
        kind: 'struct';
        fields: [
          {
            name: 'initialized';
            docs: ['1 once the admin has set the properties.'];
            type: 'u8';
          },
          {
            name: 'bump';
            docs: ["Canonical bump of this account's address."];
            type: 'u8';
          },
          {
            name: 'initialVirtualSol';
            docs: ['Virtual SOL reserve of new curves in lamports.'];
            type: 'u64';
          },
          {
            name: 'initialVirtualToken';
            docs: ['Virtual token reserve of new curves in smallest units.'];
            type: 'u64';
          },
          {
            name: 'platformFeeBps';
            docs: ['Platform fee of every trade in basis points, read live.'];
            type: 'u16';
          },
        ];
      };
    },
    {
      name: 'tokenOwnerData';
      docs: [
        "One token's curve. Its account is a PDA that also holds the SOL of the curve and owns the vault.",
        '',
        '`initialized` runs 0 (none) → 1 (trading) → 2 (finalized: graduated, no trades) → 3 (migrated), never back.',
      ];
      type: {
        kind: 'struct';
        fields: [
          {
            name: 'initialized';
            docs: ['State of the curve: 1 trading, 2 finalized, 3 migrated.'];
            type: 'u8';
          },
          {
            name: 'virtualSol';
            docs: [
              'Virtual SOL reserve in lamports. Moves with trades only, never with lamports sent to the account.',
            ];
            type: 'u64';
          },
          {
            name: 'virtualToken';
            docs: ['Virtual token reserve in smallest units.'];
            type: 'u64';
          },
          {
            name: 'afterMigrationFee';
            docs: [
              'Share of the migrated liquidity that the operator contributes to the community storages, in basis points.',
            ];
            type: 'u16';
          },
          {
            name: 'afterMigrationBurnBp';
            docs: ['Share of the token side of a community settlement that is burned, in basis points.'];
            type: 'u16';
          },
        ];
      };
    },
    {
      name: 'tradeRecord';
      docs: ['Tokens were bought or sold.'];
      type: {
        kind: 'struct';
        fields: [
          {
            name: 'mint';
            type: 'pubkey';
          },
          {
            name: 'trader';
            type: 'pubkey';
          },
          {
            name: 'isBuy';
            type: 'bool';
          },
          {
            name: 'solAmount';
            docs: ['Lamports that the trader paid or received, fee and all.'];
            type: 'u64';
          },
          {
            name: 'tokenAmount';
            docs: ['Token units that the trader received or paid.'];
            type: 'u64';
          },
          {
            name: 'fee';
            docs: ['Lamports that went to the fee receiver.'];
            type: 'u64';
          },
          {
            name: 'virtualSol';
            docs: ['Virtual SOL reserve afterwards.'];
            type: 'u64';
          },
          {
            name: 'virtualToken';
            docs: ['Virtual token reserve afterwards.'];
            type: 'u64';
          },
          {
            name: 'finalized';
            docs: ['Whether this trade graduated the curve.'];
            type: 'bool';
          },
          {
            name: 'timestamp';
            docs: ["Unix seconds of the cluster's clock."];
            type: 'i64';
          },
        ];
      };
    },
  ];
  constants: [
    {
      name: 'admin';
      docs: ['The only key that may change the settings.'];
      type: 'pubkey';
      value: '2JtnRdG7nsPDvBRq4FfuzNLY7xoCaX9kD4bGutPHjH4Q';
    },
    {
      name: 'afterMigrationFees';
      docs: ['The values that `after_migration_fee` may take, in basis points.'];
      type: {
        array: ['u16', 6];
      };
      value: '[0, 25, 50, 100, 200, 500]';
    },
    {
      name: 'basisPoints';
      docs: ['A whole in basis points.'];
      type: 'u16';
      value: '10000';
    },
    {
      name: 'communityTokenSeed';
      docs: ["Seed of a token's own community storage, followed by the mint."];
      type: 'bytes';
      value: '[99, 111, 109, 109, 117, 110, 105, 116, 121, 95, 116, 111, 107, 101, 110]';
    },
    {
      name: 'communityWsolSeed';
      docs: ["Seed of a token's WSOL community storage, followed by the mint."];
      type: 'bytes';
      value: '[99, 111, 109, 109, 117, 110, 105, 116, 121, 95, 119, 115, 111, 108]';
    },
    {
      name: 'dexOwner';
      docs: ['Owns the two community storages of every token.'];
      type: 'pubkey';
      value: 'BGHj9CCz7bfm36DPikjs7TpV8tkLC7j4ys7U9qWrJ4Qy';
    },
    {
      name: 'feeReceiver';
      docs: ['Receives the platform fee of every trade, and what a curve holds when it is migrated.'];
      type: 'pubkey';
      value: '4w7rDkyPkBYnkzMuxowXTpdznLsSmG4rQFqDYCCQ2PRv';
    },
    {
      name: 'graduationVirtualToken';
      docs: ['The virtual token reserve, in smallest units, at which a curve graduates: 280,000,000 tokens.'];
      type: 'u64';
      value: '280000000000000';
    },
    {
      name: 'loggingAuthorityAddress';
      docs: ['The PDA that signs log records.'];
      type: 'pubkey';
      value: 'EQ5yiFbab8GYLr8FojEnWrXYebKEKHNqEarwRzSAhgHA';
    },
    {
      name: 'loggingAuthorityBump';
      docs: ['Canonical bump of the PDA that signs log records.'];
      type: 'u8';
      value: '255';
    },
    {
      name: 'loggingAuthoritySeed';
      docs: ['Seed of the PDA that signs log records.'];
      type: 'bytes';
      value: '[108, 111, 103, 103, 105, 110, 103, 95, 97, 117, 116, 104, 111, 114, 105, 116, 121]';
    },
    {
      name: 'maxNameLength';
      docs: ['Longest name in bytes, as in Metaplex Token Metadata.'];
      type: 'u8';
      value: '32';
    },
    {
      name: 'maxPlatformFeeBps';
      docs: ['The highest platform fee, in basis points.'];
      type: 'u16';
      value: '1000';
    },
    {
      name: 'maxSymbolLength';
      docs: ['Longest symbol in bytes, as in Metaplex Token Metadata.'];
      type: 'u8';
      value: '10';
    },
    {
      name: 'maxUriLength';
      docs: ['Longest uri in bytes, as in Metaplex Token Metadata.'];
      type: 'u8';
      value: '200';
    },
    {
      name: 'propertiesAddress';
      docs: ['The settings account.'];
      type: 'pubkey';
      value: '72UttUvzV6rs1QbAvW1C71USdmTrqe17fkeYF9apazCo';
    },
    {
      name: 'propertiesBump';
      docs: ['Canonical bump of the settings account.'];
      type: 'u8';
      value: '255';
    },
    {
      name: 'settingsSeed';
      docs: ['Seed of the one settings account.'];
      type: 'bytes';
      value: '[115, 101, 116, 116, 105, 110, 103, 115]';
    },
    {
      name: 'statusFinalized';
      docs: ['`TokenOwnerData.initialized` of a graduated curve: no trades, not yet migrated.'];
      type: 'u8';
      value: '2';
    },
    {
      name: 'statusMigrated';
      docs: ['`TokenOwnerData.initialized` of a migrated curve.'];
      type: 'u8';
      value: '3';
    },
    {
      name: 'statusTrading';
      docs: ['`TokenOwnerData.initialized` of a curve that trades.'];
      type: 'u8';
      value: '1';
    },
    {
      name: 'tokenDecimals';
      docs: ['Decimals of every token.'];
      type: 'u8';
      value: '6';
    },
    {
      name: 'tokenOwnerSeed';
      docs: ["Seed of a token's curve account, followed by the mint."];
      type: 'bytes';
      value: '[116, 111, 107, 101, 110, 95, 111, 119, 110, 101, 114]';
    },
    {
      name: 'tokenSupply';
      docs: ['Supply of every token in its smallest units: 1,000,000,000 tokens.'];
      type: 'u64';
      value: '1000000000000000';
    },
  ];
};

/** The IDL, names in camelCase. */
export const IDL: BondingCurve = {
  address: 'Curvtsj62BXaMwSmXD7kdYfviaWiE3tcDVQKH4KWAxSH',
  metadata: {
    name: 'bondingCurve',
    version: '0.1.0',
    spec: '0.1.0',
    description:
      'Curvekit: tokens created, traded, graduated and migrated on a constant-product bonding curve',
  },
  docs: [
    "The events of this IDL are log records. The program logs a record as the data of a call to its own `validate_log_record`, behind the discriminator and the arguments of that instruction, and not as a line of the log (only `MigrateRecord` is a line too). So Anchor's `EventParser` and `addEventListener` do not hear them: read the inner instructions of a transaction, as `decodeRecords` and `subscribeRecords` of `@curvekit/sdk` and `curvekit-client` in Rust do.",
  ],
  instructions: [
    {
      name: 'adminSetProperties',
      docs: [
        'Sets the properties of the launchpad; the first call creates their account. A later change touches new tokens',
        'only, except the fee, which every trade reads live.',
        '',
        '**Authority**: the admin signs as `admin_account`.',
        '',
        "**Accounts**: the rent of the first call is paid by the admin where it is the transaction's fee payer, or by",
        'lamports sent ahead to `properties_account`.',
        '',
        '**Arguments**',
        '- `initial_virtual_sol`: lamports, above zero; at the graduation of a curve the reserve must still fit 64 bits',
        '- `initial_virtual_token`: smallest token units, above the supply and below supply + graduation reserve',
        '- `platform_fee_bps`: basis points, at most 1,000',
        '- `bump`: canonical bump of `properties_account`',
        '',
        '**Errors**: `LogicalError` for a value out of bounds, for reserves from which no curve could graduate',
        '(`initial_virtual_sol · initial_virtual_token` above graduation reserve · (2^64 − 1)), or a non-canonical bump.',
      ],
      discriminator: [184, 196, 94, 79, 50, 77, 206, 137],
      accounts: [
        {
          name: 'adminAccount',
          docs: [
            'The admin this program was built with. Not writable: it pays the rent of the first call only where it is',
            "the transaction's fee payer too.",
          ],
          signer: true,
          address: '2JtnRdG7nsPDvBRq4FfuzNLY7xoCaX9kD4bGutPHjH4Q',
        },
        {
          name: 'propertiesAccount',
          writable: true,
          address: '72UttUvzV6rs1QbAvW1C71USdmTrqe17fkeYF9apazCo',
          pda: { seeds: [{ kind: 'const', value: [115, 101, 116, 116, 105, 110, 103, 115] }] },
        },
        { name: 'systemProgram', address: '11111111111111111111111111111111' },
        { name: 'rentSysvar', address: 'SysvarRent111111111111111111111111111111111' },
      ],
      args: [
        { name: 'initialVirtualSol', type: 'u64' },
        { name: 'initialVirtualToken', type: 'u64' },
        { name: 'platformFeeBps', type: 'u16' },
        { name: 'bump', type: 'u8' },
      ],
    },
    {
      name: 'buyToken',
      docs: [
        'Buys tokens for up to `sol_to_spend` lamports. The buy that reaches the graduation reserve is clipped to it,',
        'leaves the rest with the buyer and finalizes the curve.',
        '',
        '**Authority**: `payer_account` signs, pays, and owns `user_token_account`.',
        '',
        '**Accounts**: `owner_token_account` is the vault, `fee_account` the fee receiver.',
        '',
        '**Arguments**',
        '- `pda_token_nonce`: bump of the curve account',
        '- `sol_to_spend`: lamports, fee included',
        '- `min_token_to_receive`: smallest token units; when the buy is clipped it binds the price instead of the',
        'amount: `out · sol_to_spend ≥ min_token_to_receive · (net + fee)`',
        '- `logging_account_bump`: canonical bump of the log authority',
        '',
        '**Errors**: `BondingCurveDoesNotMatchMint`, `TradingClosed`, `SlippageError`, `WrongFeeReceiver`; `LogicalError`',
        'for zero lamports, lamports that buy nothing, or a non-canonical `logging_account_bump`.',
      ],
      discriminator: [138, 127, 14, 91, 38, 87, 115, 105],
      accounts: [
        {
          name: 'payerAccount',
          docs: ['The trader: pays the SOL and the fee, owns `user_token_account`.'],
          writable: true,
          signer: true,
        },
        { name: 'systemProgram', address: '11111111111111111111111111111111' },
        { name: 'tokenProgram', address: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' },
        {
          name: 'tokenOwnerPda',
          docs: ['The curve of `token_mint`.'],
          writable: true,
          pda: {
            seeds: [
              { kind: 'const', value: [116, 111, 107, 101, 110, 95, 111, 119, 110, 101, 114] },
              { kind: 'account', path: 'tokenMint' },
            ],
          },
        },
        { name: 'tokenMint' },
        {
          name: 'ownerTokenAccount',
          docs: ['The vault. The token program debits it.'],
          writable: true,
          pda: {
            seeds: [
              { kind: 'account', path: 'tokenOwnerPda' },
              {
                kind: 'const',
                value: [
                  6, 221, 246, 225, 215, 101, 161, 147, 217, 203, 225, 70, 206, 235, 121, 172, 28, 180, 133,
                  237, 95, 91, 55, 145, 58, 140, 245, 133, 126, 255, 0, 169,
                ],
              },
              { kind: 'account', path: 'tokenMint' },
            ],
            program: {
              kind: 'const',
              value: [
                140, 151, 37, 143, 78, 36, 137, 241, 187, 61, 16, 41, 20, 142, 13, 131, 11, 90, 19, 153, 218,
                255, 16, 132, 4, 142, 123, 216, 219, 233, 248, 89,
              ],
            },
          },
        },
        {
          name: 'userTokenAccount',
          docs: ["The trader's token account of this mint."],
          writable: true,
          pda: {
            seeds: [
              { kind: 'account', path: 'payerAccount' },
              {
                kind: 'const',
                value: [
                  6, 221, 246, 225, 215, 101, 161, 147, 217, 203, 225, 70, 206, 235, 121, 172, 28, 180, 133,
                  237, 95, 91, 55, 145, 58, 140, 245, 133, 126, 255, 0, 169,
                ],
              },
              { kind: 'account', path: 'tokenMint' },
            ],
            program: {
              kind: 'const',
              value: [
                140, 151, 37, 143, 78, 36, 137, 241, 187, 61, 16, 41, 20, 142, 13, 131, 11, 90, 19, 153, 218,
                255, 16, 132, 4, 142, 123, 216, 219, 233, 248, 89,
              ],
            },
          },
        },
        { name: 'feeAccount', writable: true, address: '4w7rDkyPkBYnkzMuxowXTpdznLsSmG4rQFqDYCCQ2PRv' },
        {
          name: 'propertiesAccount',
          address: '72UttUvzV6rs1QbAvW1C71USdmTrqe17fkeYF9apazCo',
          pda: { seeds: [{ kind: 'const', value: [115, 101, 116, 116, 105, 110, 103, 115] }] },
        },
        { name: 'programAccount', address: 'Curvtsj62BXaMwSmXD7kdYfviaWiE3tcDVQKH4KWAxSH' },
        {
          name: 'logAuthorityAccount',
          address: 'EQ5yiFbab8GYLr8FojEnWrXYebKEKHNqEarwRzSAhgHA',
          pda: {
            seeds: [
              {
                kind: 'const',
                value: [108, 111, 103, 103, 105, 110, 103, 95, 97, 117, 116, 104, 111, 114, 105, 116, 121],
              },
            ],
          },
        },
      ],
      args: [
        { name: 'pdaTokenNonce', type: 'u8' },
        { name: 'solToSpend', type: 'u64' },
        { name: 'minTokenToReceive', type: 'u64' },
        { name: 'loggingAccountBump', type: 'u8' },
      ],
    },
    {
      name: 'createToken',
      docs: [
        'Creates a token: mint, curve, vault, metadata and two community storages; the whole supply goes to the vault.',
        '',
        '**Authority**: anyone; `payer_account` signs, pays every rent and is recorded as the creator. `token_mint` does',
        'not sign: the client creates the 82-byte account, owned by the token program, in the same transaction.',
        '',
        '**Accounts**: the settings must exist. Lamports sent ahead to any new account do not block the creation.',
        '',
        '**Arguments**',
        '- `pda_token_nonce`: canonical bump of the curve account',
        '- `uri` (1–200 bytes), `name` (1–32 bytes), `symbol` (1–10 bytes): of the metadata, UTF-8',
        '- `after_migration_fee`: share of the migrated liquidity for the community, in basis points: 0, 25, 50, 100,',
        '200 or 500',
        '- `after_migration_burn_bp`, `after_migration_holders_bp`, `after_migration_lp_bp`: how a community settlement',
        "is split, in basis points, at most 10,000 together; the rest is the creator's",
        '- `logging_account_bump`: canonical bump of the log authority',
        '',
        "**Errors**: `BondingCurveDoesNotMatchMint` for a curve account, vault or nonce that is not the mint's;",
        '`LogicalError` for a value out of bounds, a mint that is initialised already, a storage at another address or',
        'a non-canonical `logging_account_bump`.',
      ],
      discriminator: [84, 52, 204, 228, 24, 140, 234, 75],
      accounts: [
        {
          name: 'propertiesAccount',
          writable: true,
          address: '72UttUvzV6rs1QbAvW1C71USdmTrqe17fkeYF9apazCo',
          pda: { seeds: [{ kind: 'const', value: [115, 101, 116, 116, 105, 110, 103, 115] }] },
        },
        {
          name: 'payerAccount',
          docs: ['The creator: pays for every account.'],
          writable: true,
          signer: true,
        },
        { name: 'tokenProgram', address: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' },
        { name: 'systemProgram', address: '11111111111111111111111111111111' },
        { name: 'ataProgram', address: 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL' },
        { name: 'tokenMint', writable: true },
        {
          name: 'tokenOwnerPda',
          writable: true,
          pda: {
            seeds: [
              { kind: 'const', value: [116, 111, 107, 101, 110, 95, 111, 119, 110, 101, 114] },
              { kind: 'account', path: 'tokenMint' },
            ],
          },
        },
        {
          name: 'tokenOwnerTokenAccount',
          writable: true,
          pda: {
            seeds: [
              { kind: 'account', path: 'tokenOwnerPda' },
              {
                kind: 'const',
                value: [
                  6, 221, 246, 225, 215, 101, 161, 147, 217, 203, 225, 70, 206, 235, 121, 172, 28, 180, 133,
                  237, 95, 91, 55, 145, 58, 140, 245, 133, 126, 255, 0, 169,
                ],
              },
              { kind: 'account', path: 'tokenMint' },
            ],
            program: {
              kind: 'const',
              value: [
                140, 151, 37, 143, 78, 36, 137, 241, 187, 61, 16, 41, 20, 142, 13, 131, 11, 90, 19, 153, 218,
                255, 16, 132, 4, 142, 123, 216, 219, 233, 248, 89,
              ],
            },
          },
        },
        { name: 'tokenMetadataProgram', address: 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s' },
        {
          name: 'tokenMetadata',
          writable: true,
          pda: {
            seeds: [
              { kind: 'const', value: [109, 101, 116, 97, 100, 97, 116, 97] },
              {
                kind: 'const',
                value: [
                  11, 112, 101, 177, 227, 209, 124, 69, 56, 157, 82, 127, 107, 4, 195, 205, 88, 184, 108, 115,
                  26, 160, 253, 181, 73, 182, 209, 188, 3, 248, 41, 70,
                ],
              },
              { kind: 'account', path: 'tokenMint' },
            ],
            program: {
              kind: 'const',
              value: [
                11, 112, 101, 177, 227, 209, 124, 69, 56, 157, 82, 127, 107, 4, 195, 205, 88, 184, 108, 115,
                26, 160, 253, 181, 73, 182, 209, 188, 3, 248, 41, 70,
              ],
            },
          },
        },
        {
          name: 'afterMigrationCommunityContributionWsolStorage',
          writable: true,
          pda: {
            seeds: [
              { kind: 'const', value: [99, 111, 109, 109, 117, 110, 105, 116, 121, 95, 119, 115, 111, 108] },
              { kind: 'account', path: 'tokenMint' },
            ],
          },
        },
        {
          name: 'afterMigrationCommunityContributionTokenStorage',
          writable: true,
          pda: {
            seeds: [
              {
                kind: 'const',
                value: [99, 111, 109, 109, 117, 110, 105, 116, 121, 95, 116, 111, 107, 101, 110],
              },
              { kind: 'account', path: 'tokenMint' },
            ],
          },
        },
        { name: 'rentSysvar', address: 'SysvarRent111111111111111111111111111111111' },
        { name: 'nativeMint', address: 'So11111111111111111111111111111111111111112' },
        { name: 'dexOwner', address: 'BGHj9CCz7bfm36DPikjs7TpV8tkLC7j4ys7U9qWrJ4Qy' },
        { name: 'programAccount', address: 'Curvtsj62BXaMwSmXD7kdYfviaWiE3tcDVQKH4KWAxSH' },
        {
          name: 'logAuthorityAccount',
          address: 'EQ5yiFbab8GYLr8FojEnWrXYebKEKHNqEarwRzSAhgHA',
          pda: {
            seeds: [
              {
                kind: 'const',
                value: [108, 111, 103, 103, 105, 110, 103, 95, 97, 117, 116, 104, 111, 114, 105, 116, 121],
              },
            ],
          },
        },
      ],
      args: [
        { name: 'pdaTokenNonce', type: 'u8' },
        { name: 'uri', type: 'string' },
        { name: 'name', type: 'string' },
        { name: 'symbol', type: 'string' },
        { name: 'afterMigrationFee', type: 'u16' },
        { name: 'afterMigrationBurnBp', type: 'u16' },
        { name: 'afterMigrationHoldersBp', type: 'u16' },
        { name: 'afterMigrationLpBp', type: 'u16' },
        { name: 'loggingAccountBump', type: 'u8' },
      ],
    },
    {
      name: 'migrate',
      docs: [
        'Empties a finalized curve, once: every lamport above its rent and every token of its vault go to the fee',
        'receiver, who lists them on a DEX. Donations included.',
        '',
        '**Authority**: the fee receiver signs as `fee_account`.',
        '',
        "**Accounts**: `fee_token_account` is the fee receiver's token account of this mint.",
        '',
        '**Arguments**: `pda_token_nonce`, bump of the curve account.',
        '',
        '**Errors**: `BondingCurveDoesNotMatchMint`; `NotReadyToMigrate` while trading; `WrongFeeReceiver`;',
        '`LogicalError` when migrated already.',
      ],
      discriminator: [155, 234, 231, 146, 236, 158, 162, 30],
      accounts: [
        { name: 'tokenMint' },
        { name: 'tokenProgram', address: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' },
        {
          name: 'tokenOwnerPda',
          docs: ['The curve of `token_mint`.'],
          writable: true,
          pda: {
            seeds: [
              { kind: 'const', value: [116, 111, 107, 101, 110, 95, 111, 119, 110, 101, 114] },
              { kind: 'account', path: 'tokenMint' },
            ],
          },
        },
        {
          name: 'feeAccount',
          docs: ['The fee receiver: authorises the migration and receives the SOL.'],
          writable: true,
          signer: true,
          address: '4w7rDkyPkBYnkzMuxowXTpdznLsSmG4rQFqDYCCQ2PRv',
        },
        {
          name: 'tokenOwnerTokenAccount',
          writable: true,
          pda: {
            seeds: [
              { kind: 'account', path: 'tokenOwnerPda' },
              {
                kind: 'const',
                value: [
                  6, 221, 246, 225, 215, 101, 161, 147, 217, 203, 225, 70, 206, 235, 121, 172, 28, 180, 133,
                  237, 95, 91, 55, 145, 58, 140, 245, 133, 126, 255, 0, 169,
                ],
              },
              { kind: 'account', path: 'tokenMint' },
            ],
            program: {
              kind: 'const',
              value: [
                140, 151, 37, 143, 78, 36, 137, 241, 187, 61, 16, 41, 20, 142, 13, 131, 11, 90, 19, 153, 218,
                255, 16, 132, 4, 142, 123, 216, 219, 233, 248, 89,
              ],
            },
          },
        },
        {
          name: 'feeTokenAccount',
          docs: ["The fee receiver's token account of this mint."],
          writable: true,
          pda: {
            seeds: [
              { kind: 'account', path: 'feeAccount' },
              {
                kind: 'const',
                value: [
                  6, 221, 246, 225, 215, 101, 161, 147, 217, 203, 225, 70, 206, 235, 121, 172, 28, 180, 133,
                  237, 95, 91, 55, 145, 58, 140, 245, 133, 126, 255, 0, 169,
                ],
              },
              { kind: 'account', path: 'tokenMint' },
            ],
            program: {
              kind: 'const',
              value: [
                140, 151, 37, 143, 78, 36, 137, 241, 187, 61, 16, 41, 20, 142, 13, 131, 11, 90, 19, 153, 218,
                255, 16, 132, 4, 142, 123, 216, 219, 233, 248, 89,
              ],
            },
          },
        },
      ],
      args: [{ name: 'pdaTokenNonce', type: 'u8' }],
    },
    {
      name: 'sellToken',
      docs: [
        'Sells exactly `token_to_spend` token units.',
        '',
        '**Authority**: `payer_account` signs, receives the SOL, and owns `user_token_account`.',
        '',
        '**Accounts**: `owner_token_account` is the vault, `fee_account` the fee receiver.',
        '',
        '**Arguments**',
        '- `pda_token_nonce`: bump of the curve account',
        '- `token_to_spend`: smallest token units',
        '- `min_sol_to_receive`: lamports after the fee',
        '- `logging_account_bump`: canonical bump of the log authority',
        '',
        '**Errors**: `BondingCurveDoesNotMatchMint`, `TradingClosed`, `SlippageError`, `WrongFeeReceiver`; `LogicalError`',
        'for zero tokens, tokens that yield nothing after the fee, or a non-canonical `logging_account_bump`.',
      ],
      discriminator: [109, 61, 40, 187, 230, 176, 135, 174],
      accounts: [
        {
          name: 'payerAccount',
          docs: ['The trader: receives the SOL, owns `user_token_account`.'],
          writable: true,
          signer: true,
        },
        { name: 'tokenProgram', address: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' },
        {
          name: 'tokenOwnerPda',
          docs: ['The curve of `token_mint`.'],
          writable: true,
          pda: {
            seeds: [
              { kind: 'const', value: [116, 111, 107, 101, 110, 95, 111, 119, 110, 101, 114] },
              { kind: 'account', path: 'tokenMint' },
            ],
          },
        },
        { name: 'tokenMint' },
        {
          name: 'ownerTokenAccount',
          writable: true,
          pda: {
            seeds: [
              { kind: 'account', path: 'tokenOwnerPda' },
              {
                kind: 'const',
                value: [
                  6, 221, 246, 225, 215, 101, 161, 147, 217, 203, 225, 70, 206, 235, 121, 172, 28, 180, 133,
                  237, 95, 91, 55, 145, 58, 140, 245, 133, 126, 255, 0, 169,
                ],
              },
              { kind: 'account', path: 'tokenMint' },
            ],
            program: {
              kind: 'const',
              value: [
                140, 151, 37, 143, 78, 36, 137, 241, 187, 61, 16, 41, 20, 142, 13, 131, 11, 90, 19, 153, 218,
                255, 16, 132, 4, 142, 123, 216, 219, 233, 248, 89,
              ],
            },
          },
        },
        {
          name: 'userTokenAccount',
          docs: ["The trader's token account of this mint."],
          writable: true,
          pda: {
            seeds: [
              { kind: 'account', path: 'payerAccount' },
              {
                kind: 'const',
                value: [
                  6, 221, 246, 225, 215, 101, 161, 147, 217, 203, 225, 70, 206, 235, 121, 172, 28, 180, 133,
                  237, 95, 91, 55, 145, 58, 140, 245, 133, 126, 255, 0, 169,
                ],
              },
              { kind: 'account', path: 'tokenMint' },
            ],
            program: {
              kind: 'const',
              value: [
                140, 151, 37, 143, 78, 36, 137, 241, 187, 61, 16, 41, 20, 142, 13, 131, 11, 90, 19, 153, 218,
                255, 16, 132, 4, 142, 123, 216, 219, 233, 248, 89,
              ],
            },
          },
        },
        { name: 'feeAccount', writable: true, address: '4w7rDkyPkBYnkzMuxowXTpdznLsSmG4rQFqDYCCQ2PRv' },
        { name: 'programAccount', address: 'Curvtsj62BXaMwSmXD7kdYfviaWiE3tcDVQKH4KWAxSH' },
        {
          name: 'propertiesAccount',
          address: '72UttUvzV6rs1QbAvW1C71USdmTrqe17fkeYF9apazCo',
          pda: { seeds: [{ kind: 'const', value: [115, 101, 116, 116, 105, 110, 103, 115] }] },
        },
        {
          name: 'logAuthorityAccount',
          address: 'EQ5yiFbab8GYLr8FojEnWrXYebKEKHNqEarwRzSAhgHA',
          pda: {
            seeds: [
              {
                kind: 'const',
                value: [108, 111, 103, 103, 105, 110, 103, 95, 97, 117, 116, 104, 111, 114, 105, 116, 121],
              },
            ],
          },
        },
      ],
      args: [
        { name: 'pdaTokenNonce', type: 'u8' },
        { name: 'tokenToSpend', type: 'u64' },
        { name: 'minSolToReceive', type: 'u64' },
        { name: 'loggingAccountBump', type: 'u8' },
      ],
    },
    {
      name: 'validateLogRecord',
      docs: [
        'Accepts a log record: the bytes behind `logging_account_bump`, which the program itself appends.',
        '',
        '**Authority**: the log-authority PDA, so only this program, calling itself.',
        '',
        '**Arguments**: `logging_account_bump`, canonical bump of the log authority.',
        '',
        "**Errors**: `LogicalError` for a non-canonical bump; Anchor's own for another or missing signer.",
      ],
      discriminator: [172, 61, 131, 190, 98, 217, 155, 176],
      accounts: [
        {
          name: 'loggingAuthority',
          docs: ['The log-authority PDA. Only this program can make it sign.'],
          signer: true,
          address: 'EQ5yiFbab8GYLr8FojEnWrXYebKEKHNqEarwRzSAhgHA',
          pda: {
            seeds: [
              {
                kind: 'const',
                value: [108, 111, 103, 103, 105, 110, 103, 95, 97, 117, 116, 104, 111, 114, 105, 116, 121],
              },
            ],
          },
        },
      ],
      args: [{ name: 'loggingAccountBump', type: 'u8' }],
    },
  ],
  accounts: [
    { name: 'properties', discriminator: [159, 174, 50, 69, 56, 172, 223, 135] },
    { name: 'tokenOwnerData', discriminator: [83, 18, 112, 20, 26, 99, 35, 89] },
  ],
  events: [
    { name: 'createRecord', discriminator: [215, 219, 57, 58, 149, 231, 70, 147] },
    { name: 'migrateRecord', discriminator: [156, 225, 187, 205, 220, 254, 47, 216] },
    { name: 'tradeRecord', discriminator: [190, 168, 133, 228, 17, 212, 185, 128] },
  ],
  errors: [
    { code: 6000, name: 'bondingCurveDoesNotMatchMint', msg: 'Bonding curve does not match mint' },
    { code: 6001, name: 'tradingClosed', msg: 'Trading for this token is closed' },
    { code: 6002, name: 'notReadyToMigrate', msg: 'Token is not ready to migrate' },
    { code: 6003, name: 'slippageError', msg: 'Slippage error' },
    { code: 6004, name: 'wrongFeeReceiver', msg: 'Wrong fee receiver' },
    { code: 6005, name: 'logicalError', msg: 'Logical error' },
  ],
  types: [
    {
      name: 'createRecord',
      docs: ['A token was created.'],
      type: {
        kind: 'struct',
        fields: [
          { name: 'mint', type: 'pubkey' },
          { name: 'creator', type: 'pubkey' },
          { name: 'tokenOwnerPda', docs: ['The curve account.'], type: 'pubkey' },
          { name: 'name', type: 'string' },
          { name: 'symbol', type: 'string' },
          { name: 'uri', type: 'string' },
          {
            name: 'afterMigrationFee',
            docs: ['Share of the migrated liquidity for the community storages, in basis points.'],
            type: 'u16',
          },
          { name: 'burnBp', docs: ["Burned share of a settlement's tokens, in basis points."], type: 'u16' },
          {
            name: 'holdersBp',
            docs: ["Holders' share of a settlement, in basis points. Kept here only, not on chain."],
            type: 'u16',
          },
          {
            name: 'lpBp',
            docs: ["Liquidity's share of a settlement, in basis points. Kept here only, not on chain."],
            type: 'u16',
          },
          { name: 'virtualSol', docs: ['Initial virtual SOL reserve in lamports.'], type: 'u64' },
          { name: 'virtualToken', docs: ['Initial virtual token reserve in smallest units.'], type: 'u64' },
          { name: 'platformFeeBps', docs: ['Platform fee at creation, in basis points.'], type: 'u16' },
          { name: 'timestamp', docs: ["Unix seconds of the cluster's clock."], type: 'i64' },
        ],
      },
    },
    {
      name: 'migrateRecord',
      docs: [
        'A graduated curve was emptied. Logged with `sol_log_data`: the instruction has no log authority in its accounts.',
      ],
      type: {
        kind: 'struct',
        fields: [
          { name: 'mint', type: 'pubkey' },
          { name: 'feeAccount', type: 'pubkey' },
          { name: 'solAmount', docs: ['Lamports moved to the fee receiver.'], type: 'u64' },
          {
            name: 'tokenAmount',
            docs: ["Token units moved to the fee receiver's token account."],
            type: 'u64',
          },
          { name: 'timestamp', docs: ["Unix seconds of the cluster's clock."], type: 'i64' },
        ],
      },
    },
    {
      name: 'properties',
      docs: ["The launchpad's settings: one account, changed by the admin only."],
      type: {
        kind: 'struct',
        fields: [
          { name: 'initialized', docs: ['1 once the admin has set the properties.'], type: 'u8' },
          { name: 'bump', docs: ["Canonical bump of this account's address."], type: 'u8' },
          {
            name: 'initialVirtualSol',
            docs: ['Virtual SOL reserve of new curves in lamports.'],
            type: 'u64',
          },
          {
            name: 'initialVirtualToken',
            docs: ['Virtual token reserve of new curves in smallest units.'],
            type: 'u64',
          },
          {
            name: 'platformFeeBps',
            docs: ['Platform fee of every trade in basis points, read live.'],
            type: 'u16',
          },
        ],
      },
    },
    {
      name: 'tokenOwnerData',
      docs: [
        "One token's curve. Its account is a PDA that also holds the SOL of the curve and owns the vault.",
        '',
        '`initialized` runs 0 (none) → 1 (trading) → 2 (finalized: graduated, no trades) → 3 (migrated), never back.',
      ],
      type: {
        kind: 'struct',
        fields: [
          {
            name: 'initialized',
            docs: ['State of the curve: 1 trading, 2 finalized, 3 migrated.'],
            type: 'u8',
          },
          {
            name: 'virtualSol',
            docs: [
              'Virtual SOL reserve in lamports. Moves with trades only, never with lamports sent to the account.',
            ],
            type: 'u64',
          },
          { name: 'virtualToken', docs: ['Virtual token reserve in smallest units.'], type: 'u64' },
          {
            name: 'afterMigrationFee',
            docs: [
              'Share of the migrated liquidity that the operator contributes to the community storages, in basis points.',
            ],
            type: 'u16',
          },
          {
            name: 'afterMigrationBurnBp',
            docs: ['Share of the token side of a community settlement that is burned, in basis points.'],
            type: 'u16',
          },
        ],
      },
    },
    {
      name: 'tradeRecord',
      docs: ['Tokens were bought or sold.'],
      type: {
        kind: 'struct',
        fields: [
          { name: 'mint', type: 'pubkey' },
          { name: 'trader', type: 'pubkey' },
          { name: 'isBuy', type: 'bool' },
          {
            name: 'solAmount',
            docs: ['Lamports that the trader paid or received, fee and all.'],
            type: 'u64',
          },
          { name: 'tokenAmount', docs: ['Token units that the trader received or paid.'], type: 'u64' },
          { name: 'fee', docs: ['Lamports that went to the fee receiver.'], type: 'u64' },
          { name: 'virtualSol', docs: ['Virtual SOL reserve afterwards.'], type: 'u64' },
          { name: 'virtualToken', docs: ['Virtual token reserve afterwards.'], type: 'u64' },
          { name: 'finalized', docs: ['Whether this trade graduated the curve.'], type: 'bool' },
          { name: 'timestamp', docs: ["Unix seconds of the cluster's clock."], type: 'i64' },
        ],
      },
    },
  ],
  constants: [
    {
      name: 'admin',
      docs: ['The only key that may change the settings.'],
      type: 'pubkey',
      value: '2JtnRdG7nsPDvBRq4FfuzNLY7xoCaX9kD4bGutPHjH4Q',
    },
    {
      name: 'afterMigrationFees',
      docs: ['The values that `after_migration_fee` may take, in basis points.'],
      type: { array: ['u16', 6] },
      value: '[0, 25, 50, 100, 200, 500]',
    },
    { name: 'basisPoints', docs: ['A whole in basis points.'], type: 'u16', value: '10000' },
    {
      name: 'communityTokenSeed',
      docs: ["Seed of a token's own community storage, followed by the mint."],
      type: 'bytes',
      value: '[99, 111, 109, 109, 117, 110, 105, 116, 121, 95, 116, 111, 107, 101, 110]',
    },
    {
      name: 'communityWsolSeed',
      docs: ["Seed of a token's WSOL community storage, followed by the mint."],
      type: 'bytes',
      value: '[99, 111, 109, 109, 117, 110, 105, 116, 121, 95, 119, 115, 111, 108]',
    },
    {
      name: 'dexOwner',
      docs: ['Owns the two community storages of every token.'],
      type: 'pubkey',
      value: 'BGHj9CCz7bfm36DPikjs7TpV8tkLC7j4ys7U9qWrJ4Qy',
    },
    {
      name: 'feeReceiver',
      docs: ['Receives the platform fee of every trade, and what a curve holds when it is migrated.'],
      type: 'pubkey',
      value: '4w7rDkyPkBYnkzMuxowXTpdznLsSmG4rQFqDYCCQ2PRv',
    },
    {
      name: 'graduationVirtualToken',
      docs: ['The virtual token reserve, in smallest units, at which a curve graduates: 280,000,000 tokens.'],
      type: 'u64',
      value: '280000000000000',
    },
    {
      name: 'loggingAuthorityAddress',
      docs: ['The PDA that signs log records.'],
      type: 'pubkey',
      value: 'EQ5yiFbab8GYLr8FojEnWrXYebKEKHNqEarwRzSAhgHA',
    },
    {
      name: 'loggingAuthorityBump',
      docs: ['Canonical bump of the PDA that signs log records.'],
      type: 'u8',
      value: '255',
    },
    {
      name: 'loggingAuthoritySeed',
      docs: ['Seed of the PDA that signs log records.'],
      type: 'bytes',
      value: '[108, 111, 103, 103, 105, 110, 103, 95, 97, 117, 116, 104, 111, 114, 105, 116, 121]',
    },
    {
      name: 'maxNameLength',
      docs: ['Longest name in bytes, as in Metaplex Token Metadata.'],
      type: 'u8',
      value: '32',
    },
    {
      name: 'maxPlatformFeeBps',
      docs: ['The highest platform fee, in basis points.'],
      type: 'u16',
      value: '1000',
    },
    {
      name: 'maxSymbolLength',
      docs: ['Longest symbol in bytes, as in Metaplex Token Metadata.'],
      type: 'u8',
      value: '10',
    },
    {
      name: 'maxUriLength',
      docs: ['Longest uri in bytes, as in Metaplex Token Metadata.'],
      type: 'u8',
      value: '200',
    },
    {
      name: 'propertiesAddress',
      docs: ['The settings account.'],
      type: 'pubkey',
      value: '72UttUvzV6rs1QbAvW1C71USdmTrqe17fkeYF9apazCo',
    },
    { name: 'propertiesBump', docs: ['Canonical bump of the settings account.'], type: 'u8', value: '255' },
    {
      name: 'settingsSeed',
      docs: ['Seed of the one settings account.'],
      type: 'bytes',
      value: '[115, 101, 116, 116, 105, 110, 103, 115]',
    },
    {
      name: 'statusFinalized',
      docs: ['`TokenOwnerData.initialized` of a graduated curve: no trades, not yet migrated.'],
      type: 'u8',
      value: '2',
    },
    {
      name: 'statusMigrated',
      docs: ['`TokenOwnerData.initialized` of a migrated curve.'],
      type: 'u8',
      value: '3',
    },
    {
      name: 'statusTrading',
      docs: ['`TokenOwnerData.initialized` of a curve that trades.'],
      type: 'u8',
      value: '1',
    },
    { name: 'tokenDecimals', docs: ['Decimals of every token.'], type: 'u8', value: '6' },
    {
      name: 'tokenOwnerSeed',
      docs: ["Seed of a token's curve account, followed by the mint."],
      type: 'bytes',
      value: '[116, 111, 107, 101, 110, 95, 111, 119, 110, 101, 114]',
    },
    {
      name: 'tokenSupply',
      docs: ['Supply of every token in its smallest units: 1,000,000,000 tokens.'],
      type: 'u64',
      value: '1000000000000000',
    },
  ],
};
