DROP INDEX "trades_once";--> statement-breakpoint
DROP INDEX "trades_of_mint";--> statement-breakpoint
DROP INDEX "trades_of_trader";--> statement-breakpoint
ALTER TABLE "positions" DROP CONSTRAINT "positions_wallet_mint_pk";--> statement-breakpoint
CREATE UNIQUE INDEX "positions_once" ON "positions" USING btree (substr(sha256("wallet"::bytea), 1, 16),substr(sha256("mint"::bytea), 1, 16));--> statement-breakpoint
CREATE INDEX "trades_of_signature" ON "trades" USING hash ("signature");--> statement-breakpoint
CREATE UNIQUE INDEX "trades_once" ON "trades" USING btree (substr(sha256("signature"::bytea), 1, 16),"outer","inner");--> statement-breakpoint
CREATE INDEX "trades_of_mint" ON "trades" USING btree (hashtextextended("mint", 0),"id");--> statement-breakpoint
CREATE INDEX "trades_of_trader" ON "trades" USING btree (hashtextextended("trader", 0),"id");