(* Generated from crates/curvekit-client/src/inverse.rs by proofs/translator. Do not edit. *)
From Coq Require Import ZArith Bool.
Require Import Rust.
Require Curve.
Open Scope bool_scope.
Open Scope Z_scope.

Definition BASIS_POINTS : Z := 10000.
Notation Reserves := Curve.Reserves.
Notation reserves_virtual_sol := Curve.reserves_virtual_sol.
Notation reserves_virtual_token := Curve.reserves_virtual_token.

Definition highest_minimum (token_out : Z) (sol_to_spend : Z) (sol_spent : Z) : option (Z) :=
  and_then (u128_checked_div (Curve.product token_out sol_to_spend) sol_spent) (fun v1 =>
  let scaled := v1 in
  (u64_try_from (Z.min scaled u64_max))).

Definition ceil_div (dividend : Z) (divisor : Z) : option (Z) :=
  and_then (u64_checked_sub divisor 1) (fun v1 =>
  let most_remainder := v1 in
  and_then (u128_checked_add dividend most_remainder) (fun v2 =>
  and_then (u128_checked_div v2 divisor) (fun v3 =>
  let quotient := v3 in
  (u64_try_from quotient)))).

Definition least_gross (net : Z) (fee_bps : Z) : option (Z) :=
  and_then (u16_checked_sub BASIS_POINTS fee_bps) (fun v1 =>
  let kept := v1 in
  (ceil_div (Curve.product net BASIS_POINTS) kept)).

Definition least_sol (reserves : Reserves) (fee_bps : Z) (token_out : Z) : option (Z) :=
  and_then (u64_checked_sub (reserves_virtual_token reserves) token_out) (fun v1 =>
  let left := v1 in
  and_then (ceil_div (Curve.product (reserves_virtual_sol reserves) token_out) left) (fun v2 =>
  let net := v2 in
  and_then (u64_checked_add (reserves_virtual_sol reserves) net) (fun _ =>
  (least_gross net fee_bps)))).

Definition least_tokens (reserves : Reserves) (fee_bps : Z) (sol_out : Z) : option (Z) :=
  and_then (least_gross sol_out fee_bps) (fun v1 =>
  let gross := v1 in
  and_then (u64_checked_sub (reserves_virtual_sol reserves) gross) (fun v2 =>
  let left := v2 in
  and_then (ceil_div (Curve.product gross (reserves_virtual_token reserves)) left) (fun v3 =>
  let token_in := v3 in
  and_then (u64_checked_add (reserves_virtual_token reserves) token_in) (fun _ =>
  (Some token_in))))).
