CREATE TABLE "payer_marks" (
	"treasury" text COLLATE "C" PRIMARY KEY NOT NULL,
	"mark" text COLLATE "C",
	"previous" text COLLATE "C",
	"opens_at" bigint,
	"valid_to" bigint,
	"held" text,
	"is_lost" boolean DEFAULT false NOT NULL
);
