-- Claims, idempotency keys and used signatures of the Rewards Claiming API.
COMMENT ON TABLE claims IS 'Claims. The key is the signature of the transaction that pays the claim.';
COMMENT ON COLUMN claims.amount IS 'The reserved amount: lamports including the network fee, or token units.';
COMMENT ON COLUMN claims.referral IS 'The parts of the amount that come from referrals and from volume. The rest comes from settlements.';
COMMENT ON COLUMN claims.network_fee IS 'Network fee in lamports, part of the amount.';
COMMENT ON COLUMN claims.opens_account IS 'Whether the treasury pays for the wallet''s token account.';
COMMENT ON COLUMN claims.rent IS 'Lamports of rent that the transaction takes from the treasury. A transaction that burns returns them at its end.';
COMMENT ON COLUMN claims.transaction IS 'The transaction as returned to the wallet: base64, signed by the treasury.';
COMMENT ON COLUMN claims.blockhash_slot IS 'Slot at which the transaction''s blockhash was read.';
COMMENT ON COLUMN claims.problem IS 'Why it failed.';
COMMENT ON TABLE idempotency_keys IS 'Stored answers of requests with an `Idempotency-Key`.';
COMMENT ON COLUMN idempotency_keys.request_hash IS 'SHA-256 of the request in hex. A different request with the same key is refused.';
COMMENT ON TABLE used_signatures IS 'Request signatures that must not be accepted again.';
COMMENT ON TABLE pending_rewards IS 'Rewards of trades that are confirmed but not finalized: shown, never claimable. The row is deleted when the trade is finalized (and booked in the ledger) or dropped. Volume rewards are sums instead, one row for each token and wallet.';
COMMENT ON COLUMN pending_rewards.record_id IS 'The trade; of a sum, minus the id of the token''s address.';
COMMENT ON TYPE claim_refusal IS 'Why a new claim is not stored. `held`: payments are held, and the detail is the reason, for the operator. `key taken`: an answer is stored under the idempotency key already. `other amount`: the claimable amount differs from the amount that the transaction pays. `stale balance`: a payment was made after the balances were read. `short of …`: the balances do not cover this claim and all other claims in progress. `referral not funded`: the treasury does not hold the SOL for the claim''s referral or volume rewards yet.';
COMMENT ON INDEX claims_in_progress IS 'The database also enforces this: one open claim per wallet and token.';
COMMENT ON COLUMN claims.state IS 'Every state except `IN_PROGRESS` is final.';
