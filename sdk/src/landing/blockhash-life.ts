/** The number of blocks for which a blockhash stays valid. */
export const BLOCKHASH_BLOCKS = 150;
