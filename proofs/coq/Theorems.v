(* What a trader relies on, in single statements. The proofs are in the other files. *)
From Coq Require Import ZArith Lia Bool.
Require Import Rust Rounding Curve Spec Helpers Exact Trades World.
Open Scope Z_scope.

Theorem product_never_decreases r bps G x min : state r bps G -> u64 x -> u64 min ->
  (forall b, buy r bps G x min = Ok b -> vS r * vT r <= vS (buy_reserves b) * vT (buy_reserves b)) /\
  (forall s, sell r bps x min = Ok s -> vS r * vT r <= vS (sell_reserves s) * vT (sell_reserves s)).
Proof.
  intros W X M. split; intros done E.
  - exact (buy_k _ _ _ _ _ _ W X M E).
  - exact (sell_k _ _ _ _ _ _ W X M E).
Qed.

(* Of all that a buyer pays, or a curve pays out, the fee is the percentage, rounded up to a lamport. *)
Theorem fee_is_the_percentage r bps G x min : state r bps G -> u64 x -> u64 min ->
  (forall b, buy r bps G x min = Ok b -> buy_fee b = cdiv ((buy_net b + buy_fee b) * bps) 10000) /\
  (forall s, sell r bps x min = Ok s -> sell_fee s = cdiv (sell_gross s * bps) 10000 /\
     sell_sol_out s + sell_fee s = sell_gross s).
Proof.
  intros W X M. split; intros done E.
  - now destruct (buy_facts _ _ _ _ _ _ W X M E).
  - now destruct (sell_facts _ _ _ _ _ _ W X M E).
Qed.

(* A buyer pays all of sol, or less and gets the last tokens. The curve graduates exactly at its reserve. *)
Theorem charge_and_graduation r bps G sol min b : state r bps G -> u64 sol -> u64 min -> buy r bps G sol min = Ok b ->
  buy_net b + buy_fee b <= sol /\ G <= vT (buy_reserves b) /\
  (buy_net b + buy_fee b < sol -> vT (buy_reserves b) = G) /\
  (buy_graduates b = true <-> vT (buy_reserves b) = G).
Proof.
  intros W X M E. destruct (buy_facts _ _ _ _ _ _ W X M E). rewrite bought_end, Z.eqb_eq. repeat split; lia || auto.
Qed.

(* A trade yields its minimum. Where a buyer pays less than sol, the minimum binds the price: tokens for each lamport. *)
Theorem minimum_or_refusal r bps G x min : state r bps G -> u64 x -> u64 min ->
  (forall b, buy r bps G x min = Ok b -> min * (buy_net b + buy_fee b) <= buy_token_out b * x) /\
  (forall b, buy r bps G x min = Ok b -> buy_net b + buy_fee b = x -> min <= buy_token_out b) /\
  (forall s, sell r bps x min = Ok s -> min <= sell_sol_out s).
Proof.
  intros W X M. repeat split; intros done E; try (now destruct (buy_facts _ _ _ _ _ _ W X M E)).
  now destruct (sell_facts _ _ _ _ _ _ W X M E).
Qed.

(* The reserves change by what is traded. *)
Theorem reserves_change_by_the_trade r bps G x min : state r bps G -> u64 x -> u64 min ->
  (forall b, buy r bps G x min = Ok b -> vT (buy_reserves b) + buy_token_out b = vT r /\
     vS (buy_reserves b) = vS r + buy_net b) /\
  (forall s, sell r bps x min = Ok s -> vT (sell_reserves s) = vT r + x /\
     vS (sell_reserves s) + sell_gross s = vS r).
Proof.
  intros W X M. split; intros done E.
  - destruct (buy_facts _ _ _ _ _ _ W X M E). lia.
  - destruct (sell_facts _ _ _ _ _ _ W X M E). lia.
Qed.
