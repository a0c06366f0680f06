(* The translated code as OCaml, to run it beside the Rust and beside the SDK's TypeScript. *)
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlZBigInt.
Require Curve Split Inverse.
Extraction "model.ml" Curve.buy Curve.sell Split.split_of Inverse.least_sol Inverse.least_tokens
  Inverse.highest_minimum.
