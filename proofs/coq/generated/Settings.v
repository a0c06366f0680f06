(* Generated from programs/interface/src/settings.rs by proofs/translator. Do not edit. *)
From Coq Require Import ZArith Bool.
Require Import Rust.
Require Curve.
Open Scope bool_scope.
Open Scope Z_scope.

Definition GRADUATION_VIRTUAL_TOKEN : Z := 280000000000000.
Definition MAX_PLATFORM_FEE_BPS : Z := 1000.
Definition TOKEN_SUPPLY : Z := 1000000000000000.

Definition accepts (initial_virtual_sol : Z) (initial_virtual_token : Z) (platform_fee_bps : Z) : bool :=
  (((((initial_virtual_sol >? 0) && (initial_virtual_token >? TOKEN_SUPPLY)) && (initial_virtual_token <? (u64_saturating_add TOKEN_SUPPLY GRADUATION_VIRTUAL_TOKEN))) && ((Curve.product initial_virtual_sol initial_virtual_token) <=? (Curve.product GRADUATION_VIRTUAL_TOKEN u64_max))) && (platform_fee_bps <=? MAX_PLATFORM_FEE_BPS)).
