(* The formulas of exact-out quotes and of a quote's minimum. `Quotes.v` proves that the Rust client computes them. *)
From Coq Require Import ZArith Lia Bool.
Require Import Rust Rounding Curve Spec Helpers Exact Trades Splits.
Open Scope Z_scope.

Definition least_gross bps net := cdiv (net * 10000) (10000 - bps).
Definition least_sol r bps o := least_gross bps (cdiv (vS r * o) (vT r - o)).
Definition least_tokens r bps x := let g := least_gross bps x in cdiv (g * vT r) (vS r - g).

Lemma least_gross_is_least bps n g : 0 <= bps < 10000 -> n <= net bps g <-> least_gross bps n <= g.
Proof. intros B. rewrite net_floor by assumption. unfold least_gross. rewrite floor_le, ceil_le by lia. reflexivity. Qed.

Theorem least_sol_is_least r bps G o sol : state r bps G -> 1 <= o <= vT r - G -> 0 <= sol ->
  o <= out r bps sol <-> least_sol r bps o <= sol.
Proof.
  intros (S & T & U & B) O Q. pose proof (net_nonneg bps sol B Q).
  unfold least_sol. rewrite <- least_gross_is_least by assumption. unfold out. rewrite floor_le, ceil_le by lia. nia.
Qed.

Theorem least_tokens_is_least r bps G x t : state r bps G -> 0 <= x -> least_gross bps x < vS r -> 0 <= t ->
  x <= gross r t - cdiv (gross r t * bps) 10000 <-> least_tokens r bps x <= t.
Proof.
  intros (S & T & U & B) X L Q. change (gross r t - cdiv (gross r t * bps) 10000) with (net bps (gross r t)).
  rewrite least_gross_is_least by assumption. unfold least_tokens, gross. rewrite floor_le, ceil_le by lia. nia.
Qed.

(* A clipped buyer pays precisely the least that buys the last tokens. *)
Theorem clip_is_cheapest r bps G : state r bps G -> last_net r G + last_fee r bps G = least_sol r bps (last r G).
Proof.
  intros (S & T & U & B). unfold least_sol, least_gross, last_fee, last_net.
  replace (vT r - last r G) with G by (unfold last; lia). set (n := cdiv (vS r * last r G) G).
  symmetry. apply ceil_unique; [lia|]. pose proof (ceil_bounds (n * bps) (10000 - bps) ltac:(lia)). nia.
Qed.

(* The program takes a buy of the least lamports, with the tokens as its minimum, unless these lamports or the reserve after it
   exceed u64. No buy of fewer lamports yields the tokens. *)
Corollary least_buy r bps G o : state r bps G -> 1 <= o <= vT r - G ->
  let least := least_sol r bps o in
  (u64 least -> vS r + net bps least <= u64_max -> exists b, buy r bps G least o = Ok b /\ o <= buy_token_out b) /\
  (forall sol min b, u64 sol -> u64 min -> sol < least -> buy r bps G sol min = Ok b -> buy_token_out b < o).
Proof.
  intros W O least. pose proof W as (S & T & U & B). split.
  - intros Q V. assert (M : u64 o) by (bounds; lia).
    pose proof (least_sol_is_least r bps G o least W O ltac:(bounds; lia)) as [_ A]. specialize (A (Z.le_refl _)).
    assert (P : least <> 0).
    { intros X. rewrite X in A. unfold out, net, fee, cdiv in A. cbn in A. rewrite Z.mul_0_r in A.
      rewrite Z.div_0_l in A by lia. lia. }
    rewrite buy_is_its_specification by assumption. unfold buy_spec.
    destruct (clipped r bps G least) eqn:C; cbv beta iota zeta.
    + destruct (clip_charge r bps G least W ltac:(bounds; lia) C) as [F0 F1].
      destruct (clip_net r bps G least W ltac:(apply net_nonneg; bounds; lia) C) as [N0 N1].
      destruct (Z.eqb_spec least 0); [lia|].
      destruct (Z.ltb_spec (last r G * least) (o * (last_net r G + last_fee r bps G))); [unfold last in *; nia|].
      destruct (Z.eqb_spec (last r G) 0); [unfold last in *; lia|].
      destruct (Z.ltb_spec u64_max (vS r + last_net r G)); [lia|].
      eexists. split; [reflexivity|]. cbn. unfold last. lia.
    + destruct (Z.eqb_spec least 0); [lia|].
      destruct (Z.ltb_spec (out r bps least) o); [lia|].
      destruct (Z.eqb_spec (out r bps least) 0); [lia|].
      destruct (Z.ltb_spec u64_max (vS r + net bps least)); [lia|].
      eexists. split; [reflexivity|]. cbn. lia.
  - intros sol min b Q M L E. destruct (buy_yields _ _ _ _ _ _ W Q M E) as [-> _].
    pose proof (least_sol_is_least r bps G o sol W O ltac:(bounds; lia)). fold least in H. lia.
Qed.

(* The same of a sale of the least tokens. No sale pays all of the reserve: there is no such sale where that would be needed. *)
Corollary least_sell r bps G x : state r bps G -> 1 <= x -> least_gross bps x < vS r ->
  let least := least_tokens r bps x in
  (vT r + least <= u64_max -> exists s, sell r bps least x = Ok s /\ x <= sell_sol_out s) /\
  (forall t min s, u64 t -> u64 min -> t < least -> sell r bps t min = Ok s -> sell_sol_out s < x).
Proof.
  intros W X L least. pose proof W as (S & T & U & B).
  assert (N : x <= least_gross bps x).
  { unfold least_gross. pose proof (ceil_bounds (x * 10000) (10000 - bps) ltac:(lia)). nia. }
  assert (P : 0 <= least) by (apply ceil_nonneg; nia).
  split.
  - intros V. assert (Q : u64 least) by (bounds; lia). assert (M : u64 x) by (bounds; lia).
    pose proof (least_tokens_is_least r bps G x least W ltac:(lia) L P) as [_ A]. specialize (A (Z.le_refl _)).
    assert (D : least <> 0).
    { intros E. rewrite E in A. unfold gross, cdiv in A. rewrite Z.mul_0_r, Z.div_0_l in A by lia. cbn in A. lia. }
    rewrite (sell_is_its_specification r bps G) by assumption. unfold sell_spec. cbv zeta.
    destruct (Z.eqb_spec least 0); [lia|].
    destruct (Z.ltb_spec u64_max (vT r + least)); [lia|].
    destruct (Z.ltb_spec (gross r least - cdiv (gross r least * bps) 10000) x); [lia|].
    destruct (Z.eqb_spec (gross r least - cdiv (gross r least * bps) 10000) 0); [lia|].
    eexists. split; [reflexivity|]. cbn. lia.
  - intros t min s Q M Y E. destruct (sell_facts _ _ G _ _ _ W Q M E).
    pose proof (least_tokens_is_least r bps G x t W ltac:(lia) L ltac:(bounds; lia)) as A. fold least in A.
    unfold gross in A. rewrite <- sold_gross in A. lia.
Qed.

(* The minimum of quoteBuy without slippage: the tokens, or for the last tokens what their price would buy for all of sol. *)
Definition quoted_minimum r bps G sol :=
  if clipped r bps G sol then Z.min u64_max (last r G * sol / (last_net r G + last_fee r bps G)) else out r bps sol.

(* On a curve that has not changed the quote is taken, and no higher minimum would be. *)
Theorem quote_is_taken r bps G sol min b : state r bps G -> u64 sol -> u64 min -> buy r bps G sol 0 = Ok b ->
  u64 (quoted_minimum r bps G sol) /\
  if min <=? quoted_minimum r bps G sol then buy r bps G sol min = Ok b else buy r bps G sol min = Err Slippage.
Proof.
  intros W Q M E. assert (Z0 : u64 0) by (bounds; lia). pose proof W as (S & T & U & B).
  pose proof (buy_facts _ _ _ _ _ _ W Q Z0 E) as [O N F C _ _ _ _ D _ _ _ _].
  rewrite buy_is_its_specification in E by assumption. rewrite !buy_is_its_specification by assumption.
  unfold buy_spec, quoted_minimum in *.
  destruct (clipped r bps G sol) eqn:Y; cbv beta iota zeta in *.
  - destruct (Z.eqb_spec sol 0); [discriminate|].
    destruct (Z.ltb_spec (last r G * sol) (0 * (last_net r G + last_fee r bps G))); [discriminate|].
    destruct (Z.eqb_spec (last r G) 0); [discriminate|].
    destruct (Z.ltb_spec u64_max (vS r + last_net r G)); [discriminate|]. injection E as <-. cbn in *.
    set (spent := last_net r G + last_fee r bps G) in *. assert (P : 0 < spent) by (unfold spent; nia).
    assert (0 <= last r G * sol / spent) by (apply floor_nonneg; bounds; nia).
    split; [bounds; lia|].
    destruct (Z.leb_spec min (Z.min u64_max (last r G * sol / spent))) as [L|L].
    + assert (L' : min <= last r G * sol / spent) by lia. apply floor_le in L'; [|assumption].
      destruct (Z.ltb_spec (last r G * sol) (min * spent)); [lia | reflexivity].
    + assert (L' : ~ min <= last r G * sol / spent) by (bounds; lia). rewrite floor_le in L' by assumption.
      destruct (Z.ltb_spec (last r G * sol) (min * spent)); [reflexivity | lia].
  - destruct (Z.eqb_spec sol 0); [discriminate|].
    destruct (Z.ltb_spec (out r bps sol) 0); [discriminate|].
    destruct (Z.eqb_spec (out r bps sol) 0); [discriminate|].
    destruct (Z.ltb_spec u64_max (vS r + net bps sol)); [discriminate|]. injection E as <-. cbn in *.
    split; [unfold u64; lia|].
    destruct (Z.leb_spec min (out r bps sol)), (Z.ltb_spec (out r bps sol) min); try lia; reflexivity.
Qed.
