-- Shares of the platform fee that go to a token's creator, to wallets that it named, or back to its traders.
COMMENT ON TABLE fee_shares IS 'Who earns the share of a token. The creator signs it once, before the launch or before anybody else trades. Without a row, the creator earns it.';
COMMENT ON COLUMN fee_shares.creator IS 'The wallet that signed. A row counts only if it is the creator of the token.';
COMMENT ON COLUMN fee_shares.parts IS 'The part of each wallet in basis points; they sum to 10,000.';
COMMENT ON COLUMN fee_shares.slot IS 'The slot in the message. It counts for trades of later slots.';
COMMENT ON COLUMN fee_shares.signed IS 'Base64 of the bytes that the wallet signed: the message, or an envelope of a hardware wallet with it.';
COMMENT ON TABLE volume_rates IS 'CREATOR_SHARE_BPS, from each slot in which it changed. Never changed, so that a reindex comes to the same amounts.';
COMMENT ON TABLE volume_rewards IS 'What the final trades of a token come to for a wallet, and how much of it the ledger has credited. A reindex begins `accrued` again and credits nothing twice.';
