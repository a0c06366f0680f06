(* Generated from programs/interface/src/curve.rs by proofs/translator. Do not edit. *)
From Coq Require Import ZArith Bool.
Require Import Rust.
Open Scope bool_scope.
Open Scope Z_scope.

Definition BASIS_POINTS : Z := 10000.
Inductive TradeError := Slippage | Logical.
Record Reserves := { reserves_virtual_sol : Z; reserves_virtual_token : Z }.
Record Buy := { buy_token_out : Z; buy_net : Z; buy_fee : Z; buy_reserves : Reserves; buy_graduates : bool }.
Record Sell := { sell_gross : Z; sell_fee : Z; sell_sol_out : Z; sell_reserves : Reserves }.
Inductive Rounding := Down | Up.

Definition buy_sol_in (self : Buy) : Z :=
  (u64_saturating_add (buy_net self) (buy_fee self)).

Definition product (a : Z) (b : Z) : Z :=
  (u128_saturating_mul a b).

Definition mul_div (a : Z) (b : Z) (divisor : Z) (rounding : Rounding) : res TradeError (Z) :=
  bind (ok_or (u128_checked_sub divisor 1) Logical) (fun v1 =>
  let most_remainder := v1 in
  bind (match rounding with | Down => Ok (product a b)
  | Up => bind (ok_or (u128_checked_add (product a b) most_remainder) Logical) (fun v2 =>
  Ok v2) end) (fun dividend =>
  bind (ok_or (u128_checked_div dividend divisor) Logical) (fun v3 =>
  let quotient := v3 in
  (ok_or (u64_try_from quotient) Logical)))).

Definition fee_on (gross : Z) (fee_bps : Z) : res TradeError (Z) :=
  bind (u64_shr u64_max 16) (fun v1 =>
  if (gross <=? v1) then bind (u64_div_ceil (u64_saturating_mul gross fee_bps) BASIS_POINTS) (fun v2 =>
  (Ok v2))
  else (mul_div gross fee_bps BASIS_POINTS Up)).

Definition sell (reserves : Reserves) (fee_bps : Z) (token_to_spend : Z) (min_sol_out : Z) : res TradeError (Sell) :=
  if (token_to_spend =? 0) then (Err Logical)
  else bind (ok_or (u64_checked_add (reserves_virtual_token reserves) token_to_spend) Logical) (fun v1 =>
  let virtual_token := v1 in
  bind (mul_div (reserves_virtual_sol reserves) token_to_spend virtual_token Down) (fun v2 =>
  let gross := v2 in
  bind (fee_on gross fee_bps) (fun v3 =>
  let fee := v3 in
  bind (ok_or (u64_checked_sub gross fee) Logical) (fun v4 =>
  let sol_out := v4 in
  if (sol_out <? min_sol_out) then (Err Slippage)
  else if (sol_out =? 0) then (Err Logical)
  else bind (ok_or (u64_checked_sub (reserves_virtual_sol reserves) gross) Logical) (fun v5 =>
  (Ok {| sell_gross := gross; sell_fee := fee; sell_sol_out := sol_out; sell_reserves := {| reserves_virtual_sol := v5; reserves_virtual_token := virtual_token |} |})))))).

Definition tokens_for (reserves : Reserves) (net : Z) : res TradeError (Z) :=
  bind (ok_or (u128_checked_add (reserves_virtual_sol reserves) net) Logical) (fun v1 =>
  let virtual_sol := v1 in
  (mul_div (reserves_virtual_token reserves) net virtual_sol Down)).

Definition cost_of (reserves : Reserves) (fee_bps : Z) (token_out : Z) : res TradeError (Z * Z) :=
  bind (ok_or (u64_checked_sub (reserves_virtual_token reserves) token_out) Logical) (fun v1 =>
  let left := v1 in
  bind (mul_div (reserves_virtual_sol reserves) token_out left Up) (fun v2 =>
  let net := v2 in
  bind (ok_or (u16_checked_sub BASIS_POINTS fee_bps) Logical) (fun v3 =>
  let kept := v3 in
  bind (mul_div net fee_bps kept Up) (fun v4 =>
  let fee := v4 in
  (Ok (net, fee)))))).

Definition buy (reserves : Reserves) (fee_bps : Z) (graduation_reserve : Z) (sol_to_spend : Z) (min_token_out : Z) : res TradeError (Buy) :=
  if (sol_to_spend =? 0) then (Err Logical)
  else bind (ok_or (u64_checked_sub (reserves_virtual_token reserves) graduation_reserve) Logical) (fun v1 =>
  let available := v1 in
  bind (fee_on sol_to_spend fee_bps) (fun v2 =>
  let fee := v2 in
  bind (ok_or (u64_checked_sub sol_to_spend fee) Logical) (fun v3 =>
  let net := v3 in
  bind (tokens_for reserves net) (fun v4 =>
  let token_out := v4 in
  bind (if (token_out >? available) then
  bind (cost_of reserves fee_bps available) (fun v5 =>
  let '(net, fee) := v5 in
  bind (ok_or (filter (fun sol_in => (sol_in <=? sol_to_spend)) (u64_checked_add net fee)) Logical) (fun v6 =>
  let sol_in := v6 in
  if ((product available sol_to_spend) <? (product min_token_out sol_in)) then (Err Slippage)
  else Ok (available, net, fee)))
  else
  if (token_out <? min_token_out) then (Err Slippage)
  else Ok (token_out, net, fee)) (fun '(token_out, net, fee) =>
  if (token_out =? 0) then (Err Logical)
  else bind (ok_or (u64_checked_add (reserves_virtual_sol reserves) net) Logical) (fun v7 =>
  bind (ok_or (u64_checked_sub (reserves_virtual_token reserves) token_out) Logical) (fun v8 =>
  (Ok {| buy_token_out := token_out; buy_net := net; buy_fee := fee; buy_reserves := {| reserves_virtual_sol := v7; reserves_virtual_token := v8 |}; buy_graduates := (token_out =? available) |})))))))).
