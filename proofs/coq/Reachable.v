(* A curve can graduate, and cannot be kept from it. threat: ungraduatable-settings *)
From Coq Require Import ZArith Lia Bool.
Require Import Rust Rounding Curve Spec Helpers Exact Trades World Splits Sdk.
Open Scope Z_scope.

(* What the last tokens cost leaves just their price after the fee. *)
Lemma charge_nets r bps : state r bps G -> net bps (last_net r G + last_fee r bps G) = last_net r G.
Proof.
  intros (S & T & U & B). unfold net, fee.
  rewrite <- (the_fee (last_net r G) (last_fee r bps G) bps B); [lia | | reflexivity].
  apply ceil_nonneg; [lia|]. unfold last. nia.
Qed.

(* The SOL reserve at graduation is the product over the graduation reserve, rounded up. *)
Lemma sol_at_graduation r bps : state r bps G -> vS r + last_net r G = cdiv (k r) G.
Proof.
  intros (S & T & U & B). symmetry. apply ceil_unique; [lia|]. unfold k, last_net, last.
  pose proof (ceil_bounds (vS r * (vT r - G)) G ltac:(lia)). nia.
Qed.

(* While the product is at most what the settings allow at first, one buy of enough graduates the curve. *)
Theorem can_graduate sol0 tok0 w bps : settings sol0 tok0 -> reachable sol0 tok0 w -> trading w = true -> fee_allowed bps ->
  let cost := last_net (reserves w) G + last_fee (reserves w) bps G in
  k (reserves w) <= G * u64_max -> cost <= u64_max ->
  exists b, buy (reserves w) bps G cost 0 = Ok b /\ buy_graduates b = true /\ buy_net b + buy_fee b = cost.
Proof.
  intros P R O F cost K C. pose proof (always_sound _ _ _ P R) as I. pose proof (sound_state _ _ _ bps P I F) as W.
  pose proof (charge_nets _ _ W) as N. pose proof (sol_at_graduation _ _ W) as M. pose proof (clip_is_cheapest _ _ _ W) as E.
  fold cost in N, E. destruct I. rewrite O in trading_is. symmetry in trading_is.
  apply negb_true_iff, Z.eqb_neq in trading_is. pose proof W as (S & T & U & B).
  assert (L : 0 < last (reserves w) G) by (unfold last; lia).
  assert (N0 : 0 < last_net (reserves w) G).
  { unfold last_net. pose proof (ceil_bounds (vS (reserves w) * last (reserves w) G) G ltac:(lia)). nia. }
  assert (F0 : 0 <= last_fee (reserves w) bps G) by (apply ceil_nonneg; nia).
  assert (Q : u64 cost) by (unfold cost in *; bounds; lia).
  assert (X : cdiv (k (reserves w)) G <= u64_max) by (apply ceil_le; lia).
  pose proof (least_sol_is_least (reserves w) bps G (last (reserves w) G) cost W ltac:(unfold last in *; lia) ltac:(bounds; lia)) as A.
  rewrite <- E in A. destruct A as [_ A]. specialize (A (Z.le_refl _)).
  rewrite buy_is_its_specification by (assumption || bounds; lia). unfold buy_spec.
  destruct (clipped (reserves w) bps G cost) eqn:Y; cbv beta iota zeta.
  - destruct (Z.eqb_spec cost 0); [lia|].
    destruct (Z.ltb_spec (last (reserves w) G * cost) (0 * (last_net (reserves w) G + last_fee (reserves w) bps G))); [nia|].
    destruct (Z.eqb_spec (last (reserves w) G) 0); [lia|].
    destruct (Z.ltb_spec u64_max (vS (reserves w) + last_net (reserves w) G)); [lia|].
    eexists. split; [reflexivity|]. cbn. split; [apply Z.eqb_eq; unfold last; lia | reflexivity].
  - unfold clipped in Y. apply Z.ltb_ge in Y.
    destruct (Z.eqb_spec cost 0); [lia|].
    destruct (Z.ltb_spec (out (reserves w) bps cost) 0); [lia|].
    destruct (Z.eqb_spec (out (reserves w) bps cost) 0); [lia|].
    destruct (Z.ltb_spec u64_max (vS (reserves w) + net bps cost)); [lia|].
    eexists. split; [reflexivity|]. cbn. split; [apply Z.eqb_eq; unfold last in *; lia | unfold net; lia].
Qed.

(* Above that product no buy graduates the curve, and the product never decreases: the bound is exact. *)
Theorem graduates_only_within r bps sol min b : state r bps G -> u64 sol -> u64 min -> buy r bps G sol min = Ok b ->
  buy_graduates b = true -> k r <= G * u64_max.
Proof.
  intros W Q M E D. pose proof (buy_k _ _ _ _ _ _ W Q M E) as K. destruct (buy_facts _ _ _ _ _ _ W Q M E).
  rewrite bought_end in D. apply Z.eqb_eq in D. unfold k, G in *. lia.
Qed.

(* A new curve has such a product. *)
Theorem starts_within sol0 tok0 : settings sol0 tok0 -> k (reserves (start sol0 tok0)) <= G * u64_max.
Proof. intros (_ & _ & K). exact K. Qed.

(* And rounding lets it grow by less than one lamport's or one unit's worth in a trade. *)
Theorem product_grows_slowly r bps x min : state r bps G -> u64 x -> u64 min ->
  match buy r bps G x min with Ok b => k (buy_reserves b) < k r + Z.max (vS (buy_reserves b)) G | _ => True end /\
  match sell r bps x min with Ok s => k (sell_reserves s) < k r + vT (sell_reserves s) | _ => True end.
Proof.
  intros W Q M. pose proof W as (S & T & U & B). split.
  - destruct (buy r bps G x min) as [b| |] eqn:E; try exact I.
    assert (D := E). rewrite buy_is_its_specification in D by assumption. unfold buy_spec in D.
    destruct (clipped r bps G x); cbv beta iota zeta in D;
      do 4 (destruct (_ : bool) in D; [discriminate|]); injection D as <-; unfold k; cbn.
    + unfold last_net. pose proof (ceil_bounds (vS r * last r G) G ltac:(lia)). unfold last in *. nia.
    + pose proof (net_nonneg bps x B ltac:(bounds; lia)).
      unfold out. pose proof (floor_bounds (vT r * net bps x) (vS r + net bps x) ltac:(lia)). nia.
  - destruct (sell r bps x min) as [s| |] eqn:E; try exact I.
    destruct (sell_facts _ _ G _ _ _ W Q M E). unfold k. rewrite sold_vS, sold_vT, sold_gross.
    pose proof (floor_bounds (vS r * x) (vT r + x) ltac:(bounds; lia)). nia.
Qed.
