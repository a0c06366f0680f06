(* The translated code as OCaml, to run it beside the Rust, and the formulas of the SDK, to run them beside its TypeScript. *)
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlZBigInt.
Require Curve Split Sdk.
Extraction "model.ml" Curve.buy Curve.sell Split.split_of Sdk.least_sol Sdk.least_tokens
  Sdk.quoted_minimum.
