CREATE TABLE token_names (
  key text COLLATE "C" NOT NULL,
  mint text COLLATE "C" NOT NULL,
  version text NOT NULL,
  CONSTRAINT token_names_key_mint_pk PRIMARY KEY (key, mint),
  CONSTRAINT token_names_mint_tokens_mint_fk FOREIGN KEY (mint) REFERENCES tokens(mint) ON DELETE CASCADE
);
--> statement-breakpoint
CREATE INDEX token_names_mint ON token_names USING btree (mint);
