CREATE TABLE candle_hours (
  mint text COLLATE "C" NOT NULL,
  hour bigint NOT NULL,
  first_id bigint NOT NULL,
  open numeric(39,0) NOT NULL,
  high numeric(39,0) NOT NULL,
  low numeric(39,0) NOT NULL,
  close numeric(39,0) NOT NULL,
  volume numeric(39,0) NOT NULL,
  trades integer NOT NULL,
  PRIMARY KEY (mint, hour)
);--> statement-breakpoint
CREATE TABLE candle_days (
  mint text COLLATE "C" NOT NULL,
  day bigint NOT NULL,
  first_id bigint NOT NULL,
  open numeric(39,0) NOT NULL,
  high numeric(39,0) NOT NULL,
  low numeric(39,0) NOT NULL,
  close numeric(39,0) NOT NULL,
  volume numeric(39,0) NOT NULL,
  trades integer NOT NULL,
  PRIMARY KEY (mint, day)
);--> statement-breakpoint
ALTER TABLE market_state
  ADD COLUMN rolled_to bigint NOT NULL DEFAULT 0,
  ADD COLUMN minutes_from bigint NOT NULL DEFAULT 0;
