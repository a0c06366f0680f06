(* The Rust client's quotes: its code computes the formulas of `Sdk.v`, and answers None only where no trade yields as much. *)
From Coq Require Import ZArith Lia Bool.
Require Import Rust Rounding Curve Spec Helpers Exact Trades Splits Sdk.
Require Inverse.
Open Scope Z_scope.

Lemma ceil_div_exact a b : 0 <= a <= u64_max * u64_max -> 0 <= b <= u64_max ->
  Inverse.ceil_div a b = if b =? 0 then None else within u64_max (cdiv a b).
Proof.
  intros A B. unfold Inverse.ceil_div, u64_checked_sub, checked_sub, u128_checked_add, u128_checked_div, checked_div, u64_try_from.
  destruct (Z.leb_spec 1 b), (Z.eqb_spec b 0); try lia; cbn [and_then]; [|reflexivity].
  unfold within at 1. destruct (Z.leb_spec (a + (b - 1)) u128_max); [|bounds; lia]. cbn [and_then].
  destruct (Z.eqb_spec b 0); [lia|]. cbn [and_then]. unfold cdiv. do 2 f_equal. lia.
Qed.

Lemma least_gross_exact bps n : u64 n -> 0 <= bps < 10000 -> Inverse.least_gross n bps = within u64_max (least_gross bps n).
Proof.
  intros N B. unfold Inverse.least_gross, u16_checked_sub, checked_sub, Inverse.BASIS_POINTS.
  destruct (Z.leb_spec bps 10000); [|lia]. cbn [and_then]. rewrite product_exact by (bounds; lia).
  rewrite ceil_div_exact by (bounds; lia). destruct (Z.eqb_spec (10000 - bps) 0); [lia | reflexivity].
Qed.

(* What reaches the curve when that many tokens are bought for the least. *)
Definition least_net r o := cdiv (vS r * o) (vT r - o).

Theorem least_sol_is_exact r bps G o : state r bps G -> 0 <= o <= vT r - G ->
  Inverse.least_sol r bps o =
  if (vS r + least_net r o <=? u64_max) && (least_sol r bps o <=? u64_max) then Some (least_sol r bps o) else None.
Proof.
  intros (S & T & U & B) O. unfold Inverse.least_sol, u64_checked_sub, checked_sub.
  destruct (Z.leb_spec o (vT r)); [|lia]. cbn [and_then].
  rewrite product_exact by (bounds; lia). rewrite ceil_div_exact by (try apply square; bounds; lia).
  destruct (Z.eqb_spec (vT r - o) 0); [lia|]. fold (least_net r o).
  assert (N : 0 <= least_net r o) by (apply ceil_nonneg; nia).
  unfold within at 1. destruct (Z.leb_spec (least_net r o) u64_max); cbn [and_then].
  - unfold u64_checked_add, within. destruct (Z.leb_spec (vS r + least_net r o) u64_max); [|reflexivity]. cbn [and_then andb].
    rewrite least_gross_exact by (unfold u64; lia). reflexivity.
  - destruct (Z.leb_spec (vS r + least_net r o) u64_max); [lia | reflexivity].
Qed.

Theorem least_tokens_is_exact r bps G x : state r bps G -> u64 x ->
  Inverse.least_tokens r bps x =
  if (least_gross bps x <? vS r) && (vT r + least_tokens r bps x <=? u64_max) then Some (least_tokens r bps x) else None.
Proof.
  intros (S & T & U & B) X. unfold Inverse.least_tokens. rewrite least_gross_exact by assumption.
  assert (0 <= least_gross bps x) by (apply ceil_nonneg; bounds; lia).
  unfold within at 1. destruct (Z.leb_spec (least_gross bps x) u64_max); cbn [and_then].
  - unfold u64_checked_sub, checked_sub. destruct (Z.leb_spec (least_gross bps x) (vS r)); cbn [and_then].
    + rewrite product_exact by (bounds; lia). rewrite ceil_div_exact by (try apply square; bounds; lia).
      destruct (Z.eqb_spec (vS r - least_gross bps x) 0), (Z.ltb_spec (least_gross bps x) (vS r)); try lia; [reflexivity|].
      fold (least_tokens r bps x). assert (0 <= least_tokens r bps x) by (apply ceil_nonneg; nia).
      unfold u64_checked_add, within. cbn [andb].
      destruct (Z.leb_spec (least_tokens r bps x) u64_max), (Z.leb_spec (vT r + least_tokens r bps x) u64_max) as [F|F];
        cbn [and_then]; try lia; try reflexivity; rewrite <- Z.leb_le in F || rewrite <- Z.leb_gt in F; now rewrite F.
    + destruct (Z.ltb_spec (least_gross bps x) (vS r)); [lia | reflexivity].
  - destruct (Z.ltb_spec (least_gross bps x) (vS r)); [lia | reflexivity].
Qed.

Lemma net_of_least bps n : 0 <= bps < 10000 -> 0 <= n -> net bps (least_gross bps n) = n.
Proof.
  intros B N. rewrite net_floor by assumption. unfold least_gross.
  pose proof (ceil_bounds (n * 10000) (10000 - bps) ltac:(lia)) as C. set (g := cdiv (n * 10000) (10000 - bps)) in *.
  apply Z.le_antisymm.
  - apply Z.lt_succ_r, Z.div_lt_upper_bound; lia.
  - apply floor_le; lia.
Qed.

(* What a buy of so many tokens costs at least, also when it is clipped. *)
Lemma bought_costs r bps G o sol min b : state r bps G -> 1 <= o <= vT r - G -> u64 sol -> u64 min ->
  buy r bps G sol min = Ok b -> o <= buy_token_out b ->
  vS r + least_net r o <= u64_max /\ least_sol r bps o <= sol.
Proof.
  intros W O Q M E Y. pose proof W as (S & T & U & B).
  destruct (buy_facts _ _ _ _ _ _ W Q M E) as [P N F C _ V _ L D R _ _ _].
  assert (o * (vS r + buy_net b) <= buy_token_out b * (vS r + buy_net b)) by (apply Z.mul_le_mono_nonneg_r; lia).
  assert (K : least_net r o <= buy_net b).
  { apply ceil_le; [lia|]. nia. }
  split; [lia|]. unfold least_sol. fold (least_net r o). transitivity (buy_net b + buy_fee b); [|assumption].
  apply least_gross_is_least; [assumption|]. unfold net, fee. rewrite <- R. lia.
Qed.

(* The client's exact buy: the program takes it and it yields the tokens; fewer lamports do not. None: no lamports do. *)
Theorem exact_buy r bps G o : state r bps G -> 1 <= o <= vT r - G ->
  match Inverse.least_sol r bps o with
  | Some least =>
      (exists b, buy r bps G least o = Ok b /\ o <= buy_token_out b) /\
      (forall sol min b, u64 sol -> u64 min -> sol < least -> buy r bps G sol min = Ok b -> buy_token_out b < o)
  | None => forall sol min b, u64 sol -> u64 min -> buy r bps G sol min = Ok b -> buy_token_out b < o
  end.
Proof.
  intros W O. pose proof W as (S & T & U & B). rewrite (least_sol_is_exact r bps G o W ltac:(lia)).
  assert (N : 0 <= least_net r o) by (apply ceil_nonneg; nia).
  destruct (Z.leb_spec (vS r + least_net r o) u64_max) as [X|X]; cbn [andb];
    [destruct (Z.leb_spec (least_sol r bps o) u64_max) as [L|L]|].
  - assert (0 <= least_sol r bps o) by (unfold least_sol; fold (least_net r o); apply ceil_nonneg; lia).
    destruct (least_buy r bps G o W O) as [Some_ Less]. split; [|exact Less].
    apply Some_; [unfold u64; lia|]. unfold least_sol. fold (least_net r o). rewrite net_of_least by assumption. lia.
  - intros sol min b Q M E. destruct (Z.lt_ge_cases (buy_token_out b) o) as [|Y]; [assumption|].
    destruct (bought_costs _ _ _ _ _ _ _ W O Q M E Y). bounds. lia.
  - intros sol min b Q M E. destruct (Z.lt_ge_cases (buy_token_out b) o) as [|Y]; [assumption|].
    destruct (bought_costs _ _ _ _ _ _ _ W O Q M E Y). lia.
Qed.

(* What a sale of so many lamports takes at least. *)
Lemma sold_costs r bps G x t min s : state r bps G -> 1 <= x -> u64 t -> u64 min ->
  sell r bps t min = Ok s -> x <= sell_sol_out s ->
  least_gross bps x < vS r /\ least_tokens r bps x <= t /\ vT r + t <= u64_max.
Proof.
  intros W X Q M E Y. pose proof W as (S & T & U & B).
  rewrite (sell_is_its_specification _ _ _ _ _ W Q M) in E. unfold sell_spec in E. cbv zeta in E.
  destruct (Z.eqb_spec t 0); [discriminate|].
  destruct (Z.ltb_spec u64_max (vT r + t)); [discriminate|].
  destruct (_ <? min); [discriminate|]. destruct (_ =? 0); [discriminate|]. injection E as <-. cbn in Y.
  assert (0 < vT r + t) by (bounds; lia).
  assert (L : least_gross bps x <= gross r t) by (apply least_gross_is_least; assumption).
  assert (gross r t < vS r) by (apply Z.div_lt_upper_bound; bounds; nia).
  split; [lia|]. split; [|assumption].
  apply (least_tokens_is_least r bps G x t W); [lia | lia | bounds; lia | assumption].
Qed.

(* The client's exact sell. *)
Theorem exact_sell r bps G x : state r bps G -> 1 <= x <= u64_max ->
  match Inverse.least_tokens r bps x with
  | Some least =>
      (exists s, sell r bps least x = Ok s /\ x <= sell_sol_out s) /\
      (forall t min s, u64 t -> u64 min -> t < least -> sell r bps t min = Ok s -> sell_sol_out s < x)
  | None => forall t min s, u64 t -> u64 min -> sell r bps t min = Ok s -> sell_sol_out s < x
  end.
Proof.
  intros W X. rewrite (least_tokens_is_exact r bps G x W ltac:(unfold u64; lia)).
  destruct (Z.ltb_spec (least_gross bps x) (vS r)) as [L|L]; cbn [andb];
    [destruct (Z.leb_spec (vT r + least_tokens r bps x) u64_max) as [F|F]|].
  - destruct (least_sell r bps G x W ltac:(lia) L) as [Some_ Less]. split; [now apply Some_ | exact Less].
  - intros t min s Q M E. destruct (Z.lt_ge_cases (sell_sol_out s) x) as [|Y]; [assumption|].
    destruct (sold_costs r bps G x t min s W ltac:(lia) Q M E Y). lia.
  - intros t min s Q M E. destruct (Z.lt_ge_cases (sell_sol_out s) x) as [|Y]; [assumption|].
    destruct (sold_costs r bps G x t min s W ltac:(lia) Q M E Y). lia.
Qed.

(* The minimum of a client's quote without slippage is the highest that the program takes (`quote_is_taken`). *)
Theorem highest_minimum_is_exact r bps G sol b : state r bps G -> u64 sol -> buy r bps G sol 0 = Ok b ->
  Inverse.highest_minimum (buy_token_out b) sol (buy_net b + buy_fee b) = Some (quoted_minimum r bps G sol).
Proof.
  intros W Q E. assert (Z0 : u64 0) by (bounds; lia). pose proof W as (S & T & U & B).
  pose proof (buy_facts _ _ _ _ _ _ W Q Z0 E) as [O N F C _ _ _ _ D _ _ _ _].
  rewrite buy_is_its_specification in E by assumption. unfold buy_spec, quoted_minimum in *.
  unfold Inverse.highest_minimum, u128_checked_div, checked_div, u64_try_from, within.
  rewrite product_exact by (bounds; lia).
  destruct (Z.eqb_spec (buy_net b + buy_fee b) 0); [nia|]. cbn [and_then].
  assert (0 <= buy_token_out b * sol / (buy_net b + buy_fee b)) by (apply floor_nonneg; bounds; nia).
  destruct (Z.leb_spec (Z.min (buy_token_out b * sol / (buy_net b + buy_fee b)) u64_max) u64_max); [|lia].
  destruct (clipped r bps G sol); cbv beta iota zeta in *.
  - destruct (sol =? 0); [discriminate|]. destruct (_ <? _); [discriminate|]. destruct (_ =? 0); [discriminate|].
    destruct (_ <? _); [discriminate|]. injection E as <-. cbn in *. f_equal. lia.
  - destruct (sol =? 0); [discriminate|]. destruct (_ <? _); [discriminate|]. destruct (_ =? 0); [discriminate|].
    destruct (_ <? _); [discriminate|]. injection E as <-. cbn in *. f_equal.
    replace (net bps sol + fee bps sol) with sol in * by (unfold net; lia).
    rewrite Z.div_mul by assumption. lia.
Qed.
