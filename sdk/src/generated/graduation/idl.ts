// Generated from programs/artifacts/graduation.json by scripts/generate-sdk. Do not edit: run `npm run generate:sdk`.

/** The IDL's type, names in camelCase as @coral-xyz/anchor uses them. */
export type Graduation = {
  address: 'Gra4YMZe4AN78Zu4qL8hyqZJAJyTNo3Anfo5vthUDeDt';
  metadata: {
    name: 'graduation';
    version: '0.1.0';
    spec: '0.1.0';
    description: 'Curvekit: takes a graduated bonding curve to its AMM pool and burns the liquidity, for anyone who asks';
  };
  docs: [
    'The interface, for the IDL. `entrypoint.rs` hands every instruction to its handler: nothing calls these entries.',
    "The events of this IDL are log records. The program logs a record as the data of a call to its own `validate_log_record`, behind the discriminator and the arguments of that instruction, and not as a line of the log (only `MigrateRecord` is a line too). So Anchor's `EventParser` and `addEventListener` do not hear them: read the inner instructions of a transaction, as `decodeRecords` and `subscribeRecords` of `@curvekit/sdk` and `curvekit-client` in Rust do.",
  ];
  instructions: [
    {
      name: 'graduate';
      docs: [
        "Takes a graduated curve to its pool, once: migrates it, pays the community's share into the two storages, opens",
        "the pool at the curve's closing price and burns the liquidity. All of it happens, or nothing.",
        '',
        '**Authority**: anyone. `payer_account` signs, lends the rents of three token accounts (0.00612 SOL today) and gets',
        'them back in the same instruction.',
        '',
        '**Accounts**: `fee_receiver` and `pool_creator` are PDAs of this program. `tokens` and `wrapped_sol` are token',
        'accounts that exist only within the instruction. `pool` has one address for each mint, which only this program',
        'can sign for. Lamports sent ahead to any of these do not block the graduation: they go to the fee receiver, but',
        "for those at `pool_creator` that pay the AMM's price above 0.3 SOL.",
        '',
        '**Amounts**: the migration pays what the pool costs. Each storage gets `floor(amount · after_migration_fee /',
        '10,000)` of its side; where its owner has closed one of the two, neither gets anything, and both shares stay in the',
        'pool: a share of one side alone would move the price. The record says what the storages gained. The pool',
        'gets all SOL that is left, and `floor(SOL · virtual_token / virtual_sol)` tokens or as many as there are. The',
        'tokens beyond that are burnt.',
        '',
        '**Arguments**',
        '- `pda_token_nonce`: canonical bump of the curve account',
        '- `community_wsol_bump`, `community_token_bump`: canonical bumps of the two storages',
        '- `tokens_bump`, `wrapped_sol_bump`: bumps of the two token accounts',
        '- `pool_bump`: canonical bump of the pool',
        '',
        "**Errors**: the bonding curve's `NotReadyToMigrate` while the curve trades, its `LogicalError` when it is migrated",
        'already. `WrongAccount`; `PoolFeeTooHigh` when the AMM asks more than 0.3 SOL and `pool_creator` does not',
        'hold the rest; `TooLittleForPool`; `PoolMismatch`;',
        '`FeesTouched`; errors of the AMM, for example when it has disabled new pools. The money then waits in the curve.',
      ];
      discriminator: [45, 235, 225, 181, 17, 218, 64, 130];
      accounts: [
        {
          name: 'payerAccount';
          docs: ['Anyone: lends the rents of three token accounts.'];
          writable: true;
          signer: true;
        },
        {
          name: 'feeReceiver';
          writable: true;
          address: '4w7rDkyPkBYnkzMuxowXTpdznLsSmG4rQFqDYCCQ2PRv';
          pda: {
            seeds: [
              {
                kind: 'const';
                value: [102, 101, 101, 95, 114, 101, 99, 101, 105, 118, 101, 114];
              },
            ];
          };
        },
        {
          name: 'poolCreator';
          writable: true;
          address: '22xNruGSYGsikED8zBivSUVvmW3bqfF6b3iJDJ6kT6xr';
          pda: {
            seeds: [
              {
                kind: 'const';
                value: [112, 111, 111, 108, 95, 99, 114, 101, 97, 116, 111, 114];
              },
            ];
          };
        },
        {
          name: 'tokenMint';
          writable: true;
        },
        {
          name: 'nativeMint';
          address: 'So11111111111111111111111111111111111111112';
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
            program: {
              kind: 'const';
              value: [
                176,
                251,
                54,
                161,
                158,
                21,
                168,
                228,
                202,
                230,
                182,
                198,
                122,
                233,
                169,
                35,
                32,
                241,
                69,
                8,
                158,
                244,
                152,
                225,
                139,
                46,
                235,
                109,
                41,
                252,
                70,
                174,
              ];
            };
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
          name: 'tokens';
          writable: true;
          pda: {
            seeds: [
              {
                kind: 'const';
                value: [116, 111, 107, 101, 110, 115];
              },
              {
                kind: 'account';
                path: 'tokenMint';
              },
            ];
          };
        },
        {
          name: 'wrappedSol';
          writable: true;
          pda: {
            seeds: [
              {
                kind: 'const';
                value: [119, 115, 111, 108];
              },
              {
                kind: 'account';
                path: 'tokenMint';
              },
            ];
          };
        },
        {
          name: 'communityWsolStorage';
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
            program: {
              kind: 'const';
              value: [
                176,
                251,
                54,
                161,
                158,
                21,
                168,
                228,
                202,
                230,
                182,
                198,
                122,
                233,
                169,
                35,
                32,
                241,
                69,
                8,
                158,
                244,
                152,
                225,
                139,
                46,
                235,
                109,
                41,
                252,
                70,
                174,
              ];
            };
          };
        },
        {
          name: 'communityTokenStorage';
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
            program: {
              kind: 'const';
              value: [
                176,
                251,
                54,
                161,
                158,
                21,
                168,
                228,
                202,
                230,
                182,
                198,
                122,
                233,
                169,
                35,
                32,
                241,
                69,
                8,
                158,
                244,
                152,
                225,
                139,
                46,
                235,
                109,
                41,
                252,
                70,
                174,
              ];
            };
          };
        },
        {
          name: 'curveProgram';
          address: 'Curvtsj62BXaMwSmXD7kdYfviaWiE3tcDVQKH4KWAxSH';
        },
        {
          name: 'programAccount';
          address: 'Gra4YMZe4AN78Zu4qL8hyqZJAJyTNo3Anfo5vthUDeDt';
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
          name: 'ammProgram';
          address: 'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C';
        },
        {
          name: 'ammConfig';
          address: 'D4FPEruKEHrG5TenZ2mpDGEfu1iUvTiqBxvpU8HLBvC2';
          pda: {
            seeds: [
              {
                kind: 'const';
                value: [97, 109, 109, 95, 99, 111, 110, 102, 105, 103];
              },
              {
                kind: 'const';
                value: [0, 0];
              },
            ];
            program: {
              kind: 'const';
              value: [
                169,
                42,
                90,
                139,
                79,
                41,
                89,
                82,
                132,
                37,
                80,
                170,
                147,
                253,
                91,
                149,
                181,
                172,
                230,
                168,
                235,
                146,
                12,
                147,
                148,
                46,
                67,
                105,
                12,
                32,
                236,
                115,
              ];
            };
          };
        },
        {
          name: 'ammAuthority';
          address: 'GpMZbSM2GgvTKHJirzeGfMFoaZ8UR2X7F4v8vHTvxFbL';
          pda: {
            seeds: [
              {
                kind: 'const';
                value: [
                  118,
                  97,
                  117,
                  108,
                  116,
                  95,
                  97,
                  110,
                  100,
                  95,
                  108,
                  112,
                  95,
                  109,
                  105,
                  110,
                  116,
                  95,
                  97,
                  117,
                  116,
                  104,
                  95,
                  115,
                  101,
                  101,
                  100,
                ];
              },
            ];
            program: {
              kind: 'const';
              value: [
                169,
                42,
                90,
                139,
                79,
                41,
                89,
                82,
                132,
                37,
                80,
                170,
                147,
                253,
                91,
                149,
                181,
                172,
                230,
                168,
                235,
                146,
                12,
                147,
                148,
                46,
                67,
                105,
                12,
                32,
                236,
                115,
              ];
            };
          };
        },
        {
          name: 'pool';
          writable: true;
          pda: {
            seeds: [
              {
                kind: 'const';
                value: [112, 111, 111, 108];
              },
              {
                kind: 'account';
                path: 'tokenMint';
              },
            ];
          };
        },
        {
          name: 'lpMint';
          writable: true;
          pda: {
            seeds: [
              {
                kind: 'const';
                value: [112, 111, 111, 108, 95, 108, 112, 95, 109, 105, 110, 116];
              },
              {
                kind: 'account';
                path: 'pool';
              },
            ];
            program: {
              kind: 'const';
              value: [
                169,
                42,
                90,
                139,
                79,
                41,
                89,
                82,
                132,
                37,
                80,
                170,
                147,
                253,
                91,
                149,
                181,
                172,
                230,
                168,
                235,
                146,
                12,
                147,
                148,
                46,
                67,
                105,
                12,
                32,
                236,
                115,
              ];
            };
          };
        },
        {
          name: 'lpTokens';
          writable: true;
          pda: {
            seeds: [
              {
                kind: 'account';
                path: 'poolCreator';
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
                path: 'lpMint';
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
          name: 'poolVault0';
          writable: true;
        },
        {
          name: 'poolVault1';
          writable: true;
        },
        {
          name: 'poolFeeReceiver';
          writable: true;
          address: 'DNXgeM9EiiaAbaWvwjHj9fQQLAX5ZsfHyvmYUNRAdNC8';
        },
        {
          name: 'observation';
          writable: true;
          pda: {
            seeds: [
              {
                kind: 'const';
                value: [111, 98, 115, 101, 114, 118, 97, 116, 105, 111, 110];
              },
              {
                kind: 'account';
                path: 'pool';
              },
            ];
            program: {
              kind: 'const';
              value: [
                169,
                42,
                90,
                139,
                79,
                41,
                89,
                82,
                132,
                37,
                80,
                170,
                147,
                253,
                91,
                149,
                181,
                172,
                230,
                168,
                235,
                146,
                12,
                147,
                148,
                46,
                67,
                105,
                12,
                32,
                236,
                115,
              ];
            };
          };
        },
        {
          name: 'ataProgram';
          address: 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
        },
        {
          name: 'rentSysvar';
          address: 'SysvarRent111111111111111111111111111111111';
        },
      ];
      args: [
        {
          name: 'pdaTokenNonce';
          type: 'u8';
        },
        {
          name: 'communityWsolBump';
          type: 'u8';
        },
        {
          name: 'communityTokenBump';
          type: 'u8';
        },
        {
          name: 'tokensBump';
          type: 'u8';
        },
        {
          name: 'wrappedSolBump';
          type: 'u8';
        },
        {
          name: 'poolBump';
          type: 'u8';
        },
      ];
    },
    {
      name: 'sweep';
      docs: [
        'Moves the platform fees to the treasury: all lamports of the fee receiver above its rent exemption.',
        '',
        '**Authority**: the admin signs as `admin_account`.',
        '',
        '**Accounts**: `treasury` is the one address this program was built with.',
        '',
        '**Errors**: `WrongAdmin`, `WrongAccount`, `NothingToSweep`.',
      ];
      discriminator: [40, 23, 234, 175, 14, 61, 154, 177];
      accounts: [
        {
          name: 'adminAccount';
          docs: ['The admin this program was built with.'];
          signer: true;
          address: '2JtnRdG7nsPDvBRq4FfuzNLY7xoCaX9kD4bGutPHjH4Q';
        },
        {
          name: 'feeReceiver';
          writable: true;
          address: '4w7rDkyPkBYnkzMuxowXTpdznLsSmG4rQFqDYCCQ2PRv';
          pda: {
            seeds: [
              {
                kind: 'const';
                value: [102, 101, 101, 95, 114, 101, 99, 101, 105, 118, 101, 114];
              },
            ];
          };
        },
        {
          name: 'treasury';
          writable: true;
          address: '39WhRCfYH2JsB9c6BN5YP2VCQq6GpDgusxLBuRTarEnj';
        },
        {
          name: 'systemProgram';
          address: '11111111111111111111111111111111';
        },
      ];
      args: [];
    },
    {
      name: 'validateLogRecord';
      docs: [
        "Accepts a log record: the bytes behind the instruction's tag, which the program itself appends.",
        '',
        '**Authority**: the fee receiver, so only this program, calling itself.',
        '',
        "**Errors**: Anchor's own for another or missing signer.",
      ];
      discriminator: [172, 61, 131, 190, 98, 217, 155, 176];
      accounts: [
        {
          name: 'feeReceiver';
          docs: ['Only this program can make it sign.'];
          signer: true;
          address: '4w7rDkyPkBYnkzMuxowXTpdznLsSmG4rQFqDYCCQ2PRv';
          pda: {
            seeds: [
              {
                kind: 'const';
                value: [102, 101, 101, 95, 114, 101, 99, 101, 105, 118, 101, 114];
              },
            ];
          };
        },
      ];
      args: [];
    },
  ];
  events: [
    {
      name: 'graduateRecord';
      discriminator: [208, 221, 100, 92, 165, 146, 73, 102];
    },
  ];
  errors: [
    {
      code: 6000;
      name: 'wrongAccount';
      msg: 'Wrong account';
    },
    {
      code: 6001;
      name: 'wrongAdmin';
      msg: 'Only the admin can sweep';
    },
    {
      code: 6002;
      name: 'poolFeeTooHigh';
      msg: "The AMM's fee for a new pool is above the maximum";
    },
    {
      code: 6003;
      name: 'tooLittleForPool';
      msg: 'The curve holds too little to open a pool';
    },
    {
      code: 6004;
      name: 'poolMismatch';
      msg: 'The AMM did not open the pool as asked';
    },
    {
      code: 6005;
      name: 'feesTouched';
      msg: 'The migration would cost the fee receiver lamports';
    },
    {
      code: 6006;
      name: 'nothingToSweep';
      msg: 'There are no fees to sweep';
    },
    {
      code: 6007;
      name: 'amountOutOfRange';
      msg: 'An amount is out of range';
    },
  ];
  types: [
    {
      name: 'graduateRecord';
      docs: [
        "A curve went to its pool. While the rent is what it was at the token's creation, all lamports that left the curve",
        'are `pool_sol + community_sol + costs`. All tokens are `pool_token + community_token + burnt`.',
      ];
      type: {
        kind: 'struct';
        fields: [
          {
            name: 'mint';
            type: 'pubkey';
          },
          {
            name: 'pool';
            type: 'pubkey';
          },
          {
            name: 'poolSol';
            docs: [
              'Lamports that the pool was opened with. What somebody sent ahead to its vault is in it besides.',
            ];
            type: 'u64';
          },
          {
            name: 'poolToken';
            docs: ['Token units that the pool was opened with.'];
            type: 'u64';
          },
          {
            name: 'communitySol';
            docs: [
              "Lamports that the community's WSOL storage gained, after a change of the rent by what its reserve moved too.",
            ];
            type: 'u64';
          },
          {
            name: 'communityToken';
            docs: ["Token units that the community's own storage gained."];
            type: 'u64';
          },
          {
            name: 'burnt';
            docs: ['Token units burnt.'];
            type: 'u64';
          },
          {
            name: 'costs';
            docs: ["Lamports that opening the pool costs: the AMM's fee and the rents of its accounts."];
            type: 'u64';
          },
          {
            name: 'lpBurnt';
            docs: ['LP units burnt: all that there were.'];
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
  ];
  constants: [
    {
      name: 'admin';
      docs: ['The only key that may sweep.'];
      type: 'pubkey';
      value: '2JtnRdG7nsPDvBRq4FfuzNLY7xoCaX9kD4bGutPHjH4Q';
    },
    {
      name: 'ammConfig';
      docs: [
        'Its fee tier 0: trades cost 0.25 %. Fixed, else the caller of `graduate` would choose the fees of the market.',
      ];
      type: 'pubkey';
      value: 'D4FPEruKEHrG5TenZ2mpDGEfu1iUvTiqBxvpU8HLBvC2';
    },
    {
      name: 'ammProgram';
      docs: ["Raydium's CPMM."];
      type: 'pubkey';
      value: 'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C';
    },
    {
      name: 'curveProgram';
      docs: ['The bonding-curve program, in a build whose fee receiver is `FEE_RECEIVER`.'];
      type: 'pubkey';
      value: 'Curvtsj62BXaMwSmXD7kdYfviaWiE3tcDVQKH4KWAxSH';
    },
    {
      name: 'feeReceiver';
      docs: [
        'The fee receiver of the bonding-curve program: takes the platform fees and signs `migrate`. It also signs log records.',
      ];
      type: 'pubkey';
      value: '4w7rDkyPkBYnkzMuxowXTpdznLsSmG4rQFqDYCCQ2PRv';
    },
    {
      name: 'feeReceiverBump';
      docs: ['Canonical bump of the fee receiver.'];
      type: 'u8';
      value: '254';
    },
    {
      name: 'feeReceiverSeed';
      docs: ['Seed of the fee receiver.'];
      type: 'bytes';
      value: '[102, 101, 101, 95, 114, 101, 99, 101, 105, 118, 101, 114]';
    },
    {
      name: 'poolCreator';
      docs: [
        'Opens pools. It holds lamports and tokens only while `graduate` runs, so its signature, which the AMM gets, is worth',
        "nothing but this migration's money.",
      ];
      type: 'pubkey';
      value: '22xNruGSYGsikED8zBivSUVvmW3bqfF6b3iJDJ6kT6xr';
    },
    {
      name: 'poolCreatorBump';
      docs: ['Canonical bump of the address that opens pools.'];
      type: 'u8';
      value: '254';
    },
    {
      name: 'poolCreatorSeed';
      docs: ['Seed of the address that opens pools.'];
      type: 'bytes';
      value: '[112, 111, 111, 108, 95, 99, 114, 101, 97, 116, 111, 114]';
    },
    {
      name: 'poolSeed';
      docs: ["Seed of a token's pool, followed by the mint."];
      type: 'bytes';
      value: '[112, 111, 111, 108]';
    },
    {
      name: 'tokensSeed';
      docs: ["Seed of the token account that takes a migration's tokens, followed by the mint."];
      type: 'bytes';
      value: '[116, 111, 107, 101, 110, 115]';
    },
    {
      name: 'treasury';
      docs: ['The only address that platform fees can be swept to.'];
      type: 'pubkey';
      value: '39WhRCfYH2JsB9c6BN5YP2VCQq6GpDgusxLBuRTarEnj';
    },
    {
      name: 'wrappedSolSeed';
      docs: ["Seed of the token account that takes a migration's SOL, wrapped, followed by the mint."];
      type: 'bytes';
      value: '[119, 115, 111, 108]';
    },
  ];
};

/** The IDL, names in camelCase. */
export const IDL: Graduation = {
  address: 'Gra4YMZe4AN78Zu4qL8hyqZJAJyTNo3Anfo5vthUDeDt',
  metadata: {
    name: 'graduation',
    version: '0.1.0',
    spec: '0.1.0',
    description:
      'Curvekit: takes a graduated bonding curve to its AMM pool and burns the liquidity, for anyone who asks',
  },
  docs: [
    'The interface, for the IDL. `entrypoint.rs` hands every instruction to its handler: nothing calls these entries.',
    "The events of this IDL are log records. The program logs a record as the data of a call to its own `validate_log_record`, behind the discriminator and the arguments of that instruction, and not as a line of the log (only `MigrateRecord` is a line too). So Anchor's `EventParser` and `addEventListener` do not hear them: read the inner instructions of a transaction, as `decodeRecords` and `subscribeRecords` of `@curvekit/sdk` and `curvekit-client` in Rust do.",
  ],
  instructions: [
    {
      name: 'graduate',
      docs: [
        "Takes a graduated curve to its pool, once: migrates it, pays the community's share into the two storages, opens",
        "the pool at the curve's closing price and burns the liquidity. All of it happens, or nothing.",
        '',
        '**Authority**: anyone. `payer_account` signs, lends the rents of three token accounts (0.00612 SOL today) and gets',
        'them back in the same instruction.',
        '',
        '**Accounts**: `fee_receiver` and `pool_creator` are PDAs of this program. `tokens` and `wrapped_sol` are token',
        'accounts that exist only within the instruction. `pool` has one address for each mint, which only this program',
        'can sign for. Lamports sent ahead to any of these do not block the graduation: they go to the fee receiver, but',
        "for those at `pool_creator` that pay the AMM's price above 0.3 SOL.",
        '',
        '**Amounts**: the migration pays what the pool costs. Each storage gets `floor(amount · after_migration_fee /',
        '10,000)` of its side; where its owner has closed one of the two, neither gets anything, and both shares stay in the',
        'pool: a share of one side alone would move the price. The record says what the storages gained. The pool',
        'gets all SOL that is left, and `floor(SOL · virtual_token / virtual_sol)` tokens or as many as there are. The',
        'tokens beyond that are burnt.',
        '',
        '**Arguments**',
        '- `pda_token_nonce`: canonical bump of the curve account',
        '- `community_wsol_bump`, `community_token_bump`: canonical bumps of the two storages',
        '- `tokens_bump`, `wrapped_sol_bump`: bumps of the two token accounts',
        '- `pool_bump`: canonical bump of the pool',
        '',
        "**Errors**: the bonding curve's `NotReadyToMigrate` while the curve trades, its `LogicalError` when it is migrated",
        'already. `WrongAccount`; `PoolFeeTooHigh` when the AMM asks more than 0.3 SOL and `pool_creator` does not',
        'hold the rest; `TooLittleForPool`; `PoolMismatch`;',
        '`FeesTouched`; errors of the AMM, for example when it has disabled new pools. The money then waits in the curve.',
      ],
      discriminator: [45, 235, 225, 181, 17, 218, 64, 130],
      accounts: [
        {
          name: 'payerAccount',
          docs: ['Anyone: lends the rents of three token accounts.'],
          writable: true,
          signer: true,
        },
        {
          name: 'feeReceiver',
          writable: true,
          address: '4w7rDkyPkBYnkzMuxowXTpdznLsSmG4rQFqDYCCQ2PRv',
          pda: {
            seeds: [{ kind: 'const', value: [102, 101, 101, 95, 114, 101, 99, 101, 105, 118, 101, 114] }],
          },
        },
        {
          name: 'poolCreator',
          writable: true,
          address: '22xNruGSYGsikED8zBivSUVvmW3bqfF6b3iJDJ6kT6xr',
          pda: {
            seeds: [{ kind: 'const', value: [112, 111, 111, 108, 95, 99, 114, 101, 97, 116, 111, 114] }],
          },
        },
        { name: 'tokenMint', writable: true },
        { name: 'nativeMint', address: 'So11111111111111111111111111111111111111112' },
        {
          name: 'tokenOwnerPda',
          writable: true,
          pda: {
            seeds: [
              { kind: 'const', value: [116, 111, 107, 101, 110, 95, 111, 119, 110, 101, 114] },
              { kind: 'account', path: 'tokenMint' },
            ],
            program: {
              kind: 'const',
              value: [
                176, 251, 54, 161, 158, 21, 168, 228, 202, 230, 182, 198, 122, 233, 169, 35, 32, 241, 69, 8,
                158, 244, 152, 225, 139, 46, 235, 109, 41, 252, 70, 174,
              ],
            },
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
        {
          name: 'tokens',
          writable: true,
          pda: {
            seeds: [
              { kind: 'const', value: [116, 111, 107, 101, 110, 115] },
              { kind: 'account', path: 'tokenMint' },
            ],
          },
        },
        {
          name: 'wrappedSol',
          writable: true,
          pda: {
            seeds: [
              { kind: 'const', value: [119, 115, 111, 108] },
              { kind: 'account', path: 'tokenMint' },
            ],
          },
        },
        {
          name: 'communityWsolStorage',
          writable: true,
          pda: {
            seeds: [
              { kind: 'const', value: [99, 111, 109, 109, 117, 110, 105, 116, 121, 95, 119, 115, 111, 108] },
              { kind: 'account', path: 'tokenMint' },
            ],
            program: {
              kind: 'const',
              value: [
                176, 251, 54, 161, 158, 21, 168, 228, 202, 230, 182, 198, 122, 233, 169, 35, 32, 241, 69, 8,
                158, 244, 152, 225, 139, 46, 235, 109, 41, 252, 70, 174,
              ],
            },
          },
        },
        {
          name: 'communityTokenStorage',
          writable: true,
          pda: {
            seeds: [
              {
                kind: 'const',
                value: [99, 111, 109, 109, 117, 110, 105, 116, 121, 95, 116, 111, 107, 101, 110],
              },
              { kind: 'account', path: 'tokenMint' },
            ],
            program: {
              kind: 'const',
              value: [
                176, 251, 54, 161, 158, 21, 168, 228, 202, 230, 182, 198, 122, 233, 169, 35, 32, 241, 69, 8,
                158, 244, 152, 225, 139, 46, 235, 109, 41, 252, 70, 174,
              ],
            },
          },
        },
        { name: 'curveProgram', address: 'Curvtsj62BXaMwSmXD7kdYfviaWiE3tcDVQKH4KWAxSH' },
        { name: 'programAccount', address: 'Gra4YMZe4AN78Zu4qL8hyqZJAJyTNo3Anfo5vthUDeDt' },
        { name: 'tokenProgram', address: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' },
        { name: 'systemProgram', address: '11111111111111111111111111111111' },
        { name: 'ammProgram', address: 'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C' },
        {
          name: 'ammConfig',
          address: 'D4FPEruKEHrG5TenZ2mpDGEfu1iUvTiqBxvpU8HLBvC2',
          pda: {
            seeds: [
              { kind: 'const', value: [97, 109, 109, 95, 99, 111, 110, 102, 105, 103] },
              { kind: 'const', value: [0, 0] },
            ],
            program: {
              kind: 'const',
              value: [
                169, 42, 90, 139, 79, 41, 89, 82, 132, 37, 80, 170, 147, 253, 91, 149, 181, 172, 230, 168,
                235, 146, 12, 147, 148, 46, 67, 105, 12, 32, 236, 115,
              ],
            },
          },
        },
        {
          name: 'ammAuthority',
          address: 'GpMZbSM2GgvTKHJirzeGfMFoaZ8UR2X7F4v8vHTvxFbL',
          pda: {
            seeds: [
              {
                kind: 'const',
                value: [
                  118, 97, 117, 108, 116, 95, 97, 110, 100, 95, 108, 112, 95, 109, 105, 110, 116, 95, 97, 117,
                  116, 104, 95, 115, 101, 101, 100,
                ],
              },
            ],
            program: {
              kind: 'const',
              value: [
                169, 42, 90, 139, 79, 41, 89, 82, 132, 37, 80, 170, 147, 253, 91, 149, 181, 172, 230, 168,
                235, 146, 12, 147, 148, 46, 67, 105, 12, 32, 236, 115,
              ],
            },
          },
        },
        {
          name: 'pool',
          writable: true,
          pda: {
            seeds: [
              { kind: 'const', value: [112, 111, 111, 108] },
              { kind: 'account', path: 'tokenMint' },
            ],
          },
        },
        {
          name: 'lpMint',
          writable: true,
          pda: {
            seeds: [
              { kind: 'const', value: [112, 111, 111, 108, 95, 108, 112, 95, 109, 105, 110, 116] },
              { kind: 'account', path: 'pool' },
            ],
            program: {
              kind: 'const',
              value: [
                169, 42, 90, 139, 79, 41, 89, 82, 132, 37, 80, 170, 147, 253, 91, 149, 181, 172, 230, 168,
                235, 146, 12, 147, 148, 46, 67, 105, 12, 32, 236, 115,
              ],
            },
          },
        },
        {
          name: 'lpTokens',
          writable: true,
          pda: {
            seeds: [
              { kind: 'account', path: 'poolCreator' },
              {
                kind: 'const',
                value: [
                  6, 221, 246, 225, 215, 101, 161, 147, 217, 203, 225, 70, 206, 235, 121, 172, 28, 180, 133,
                  237, 95, 91, 55, 145, 58, 140, 245, 133, 126, 255, 0, 169,
                ],
              },
              { kind: 'account', path: 'lpMint' },
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
        { name: 'poolVault0', writable: true },
        { name: 'poolVault1', writable: true },
        { name: 'poolFeeReceiver', writable: true, address: 'DNXgeM9EiiaAbaWvwjHj9fQQLAX5ZsfHyvmYUNRAdNC8' },
        {
          name: 'observation',
          writable: true,
          pda: {
            seeds: [
              { kind: 'const', value: [111, 98, 115, 101, 114, 118, 97, 116, 105, 111, 110] },
              { kind: 'account', path: 'pool' },
            ],
            program: {
              kind: 'const',
              value: [
                169, 42, 90, 139, 79, 41, 89, 82, 132, 37, 80, 170, 147, 253, 91, 149, 181, 172, 230, 168,
                235, 146, 12, 147, 148, 46, 67, 105, 12, 32, 236, 115,
              ],
            },
          },
        },
        { name: 'ataProgram', address: 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL' },
        { name: 'rentSysvar', address: 'SysvarRent111111111111111111111111111111111' },
      ],
      args: [
        { name: 'pdaTokenNonce', type: 'u8' },
        { name: 'communityWsolBump', type: 'u8' },
        { name: 'communityTokenBump', type: 'u8' },
        { name: 'tokensBump', type: 'u8' },
        { name: 'wrappedSolBump', type: 'u8' },
        { name: 'poolBump', type: 'u8' },
      ],
    },
    {
      name: 'sweep',
      docs: [
        'Moves the platform fees to the treasury: all lamports of the fee receiver above its rent exemption.',
        '',
        '**Authority**: the admin signs as `admin_account`.',
        '',
        '**Accounts**: `treasury` is the one address this program was built with.',
        '',
        '**Errors**: `WrongAdmin`, `WrongAccount`, `NothingToSweep`.',
      ],
      discriminator: [40, 23, 234, 175, 14, 61, 154, 177],
      accounts: [
        {
          name: 'adminAccount',
          docs: ['The admin this program was built with.'],
          signer: true,
          address: '2JtnRdG7nsPDvBRq4FfuzNLY7xoCaX9kD4bGutPHjH4Q',
        },
        {
          name: 'feeReceiver',
          writable: true,
          address: '4w7rDkyPkBYnkzMuxowXTpdznLsSmG4rQFqDYCCQ2PRv',
          pda: {
            seeds: [{ kind: 'const', value: [102, 101, 101, 95, 114, 101, 99, 101, 105, 118, 101, 114] }],
          },
        },
        { name: 'treasury', writable: true, address: '39WhRCfYH2JsB9c6BN5YP2VCQq6GpDgusxLBuRTarEnj' },
        { name: 'systemProgram', address: '11111111111111111111111111111111' },
      ],
      args: [],
    },
    {
      name: 'validateLogRecord',
      docs: [
        "Accepts a log record: the bytes behind the instruction's tag, which the program itself appends.",
        '',
        '**Authority**: the fee receiver, so only this program, calling itself.',
        '',
        "**Errors**: Anchor's own for another or missing signer.",
      ],
      discriminator: [172, 61, 131, 190, 98, 217, 155, 176],
      accounts: [
        {
          name: 'feeReceiver',
          docs: ['Only this program can make it sign.'],
          signer: true,
          address: '4w7rDkyPkBYnkzMuxowXTpdznLsSmG4rQFqDYCCQ2PRv',
          pda: {
            seeds: [{ kind: 'const', value: [102, 101, 101, 95, 114, 101, 99, 101, 105, 118, 101, 114] }],
          },
        },
      ],
      args: [],
    },
  ],
  events: [{ name: 'graduateRecord', discriminator: [208, 221, 100, 92, 165, 146, 73, 102] }],
  errors: [
    { code: 6000, name: 'wrongAccount', msg: 'Wrong account' },
    { code: 6001, name: 'wrongAdmin', msg: 'Only the admin can sweep' },
    { code: 6002, name: 'poolFeeTooHigh', msg: "The AMM's fee for a new pool is above the maximum" },
    { code: 6003, name: 'tooLittleForPool', msg: 'The curve holds too little to open a pool' },
    { code: 6004, name: 'poolMismatch', msg: 'The AMM did not open the pool as asked' },
    { code: 6005, name: 'feesTouched', msg: 'The migration would cost the fee receiver lamports' },
    { code: 6006, name: 'nothingToSweep', msg: 'There are no fees to sweep' },
    { code: 6007, name: 'amountOutOfRange', msg: 'An amount is out of range' },
  ],
  types: [
    {
      name: 'graduateRecord',
      docs: [
        "A curve went to its pool. While the rent is what it was at the token's creation, all lamports that left the curve",
        'are `pool_sol + community_sol + costs`. All tokens are `pool_token + community_token + burnt`.',
      ],
      type: {
        kind: 'struct',
        fields: [
          { name: 'mint', type: 'pubkey' },
          { name: 'pool', type: 'pubkey' },
          {
            name: 'poolSol',
            docs: [
              'Lamports that the pool was opened with. What somebody sent ahead to its vault is in it besides.',
            ],
            type: 'u64',
          },
          { name: 'poolToken', docs: ['Token units that the pool was opened with.'], type: 'u64' },
          {
            name: 'communitySol',
            docs: [
              "Lamports that the community's WSOL storage gained, after a change of the rent by what its reserve moved too.",
            ],
            type: 'u64',
          },
          {
            name: 'communityToken',
            docs: ["Token units that the community's own storage gained."],
            type: 'u64',
          },
          { name: 'burnt', docs: ['Token units burnt.'], type: 'u64' },
          {
            name: 'costs',
            docs: ["Lamports that opening the pool costs: the AMM's fee and the rents of its accounts."],
            type: 'u64',
          },
          { name: 'lpBurnt', docs: ['LP units burnt: all that there were.'], type: 'u64' },
          { name: 'timestamp', docs: ["Unix seconds of the cluster's clock."], type: 'i64' },
        ],
      },
    },
  ],
  constants: [
    {
      name: 'admin',
      docs: ['The only key that may sweep.'],
      type: 'pubkey',
      value: '2JtnRdG7nsPDvBRq4FfuzNLY7xoCaX9kD4bGutPHjH4Q',
    },
    {
      name: 'ammConfig',
      docs: [
        'Its fee tier 0: trades cost 0.25 %. Fixed, else the caller of `graduate` would choose the fees of the market.',
      ],
      type: 'pubkey',
      value: 'D4FPEruKEHrG5TenZ2mpDGEfu1iUvTiqBxvpU8HLBvC2',
    },
    {
      name: 'ammProgram',
      docs: ["Raydium's CPMM."],
      type: 'pubkey',
      value: 'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C',
    },
    {
      name: 'curveProgram',
      docs: ['The bonding-curve program, in a build whose fee receiver is `FEE_RECEIVER`.'],
      type: 'pubkey',
      value: 'Curvtsj62BXaMwSmXD7kdYfviaWiE3tcDVQKH4KWAxSH',
    },
    {
      name: 'feeReceiver',
      docs: [
        'The fee receiver of the bonding-curve program: takes the platform fees and signs `migrate`. It also signs log records.',
      ],
      type: 'pubkey',
      value: '4w7rDkyPkBYnkzMuxowXTpdznLsSmG4rQFqDYCCQ2PRv',
    },
    { name: 'feeReceiverBump', docs: ['Canonical bump of the fee receiver.'], type: 'u8', value: '254' },
    {
      name: 'feeReceiverSeed',
      docs: ['Seed of the fee receiver.'],
      type: 'bytes',
      value: '[102, 101, 101, 95, 114, 101, 99, 101, 105, 118, 101, 114]',
    },
    {
      name: 'poolCreator',
      docs: [
        'Opens pools. It holds lamports and tokens only while `graduate` runs, so its signature, which the AMM gets, is worth',
        "nothing but this migration's money.",
      ],
      type: 'pubkey',
      value: '22xNruGSYGsikED8zBivSUVvmW3bqfF6b3iJDJ6kT6xr',
    },
    {
      name: 'poolCreatorBump',
      docs: ['Canonical bump of the address that opens pools.'],
      type: 'u8',
      value: '254',
    },
    {
      name: 'poolCreatorSeed',
      docs: ['Seed of the address that opens pools.'],
      type: 'bytes',
      value: '[112, 111, 111, 108, 95, 99, 114, 101, 97, 116, 111, 114]',
    },
    {
      name: 'poolSeed',
      docs: ["Seed of a token's pool, followed by the mint."],
      type: 'bytes',
      value: '[112, 111, 111, 108]',
    },
    {
      name: 'tokensSeed',
      docs: ["Seed of the token account that takes a migration's tokens, followed by the mint."],
      type: 'bytes',
      value: '[116, 111, 107, 101, 110, 115]',
    },
    {
      name: 'treasury',
      docs: ['The only address that platform fees can be swept to.'],
      type: 'pubkey',
      value: '39WhRCfYH2JsB9c6BN5YP2VCQq6GpDgusxLBuRTarEnj',
    },
    {
      name: 'wrappedSolSeed',
      docs: ["Seed of the token account that takes a migration's SOL, wrapped, followed by the mint."],
      type: 'bytes',
      value: '[119, 115, 111, 108]',
    },
  ],
};
