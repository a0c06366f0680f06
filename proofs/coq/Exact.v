(* The code is its specification. threat: overflow *)
From Coq Require Import ZArith Lia Bool.
Require Import Rust Rounding Curve Spec Helpers.
Open Scope Z_scope.

(* The cost of the last tokens never exceeds what the buyer spends: the code's own check of it never refuses. *)
Lemma clip_net r bps G sol : state r bps G -> 0 <= net bps sol -> clipped r bps G sol = true ->
  0 <= last_net r G <= net bps sol.
Proof.
  intros (S & T & U & B) N C. unfold clipped in C. apply Z.ltb_lt in C. unfold last_net. split.
  - apply ceil_nonneg; [lia|]. unfold last. nia.
  - apply ceil_le; [lia|]. apply Z.lt_le_incl in C. unfold out in C. apply floor_le in C; [|lia].
    unfold last in *. nia.
Qed.

Lemma clip_charge r bps G sol : state r bps G -> 0 <= sol -> clipped r bps G sol = true ->
  0 <= last_fee r bps G /\ last_net r G + last_fee r bps G <= sol.
Proof.
  intros W Q C. pose proof W as (S & T & U & B).
  assert (F : fee bps sol <= sol) by (apply ceil_le; nia).
  destruct (clip_net r bps G sol W ltac:(unfold net; lia) C) as [N M].
  unfold last_fee. split; [apply ceil_nonneg; nia|].
  enough (cdiv (last_net r G * bps) (10000 - bps) <= sol - last_net r G) by lia.
  apply ceil_le; [lia|]. unfold net in M.
  pose proof (ceil_bounds (sol * bps) 10000 ltac:(lia)) as E. fold (fee bps sol) in E. nia.
Qed.

Theorem buy_is_its_specification r bps G sol min :
  state r bps G -> u64 sol -> u64 min -> buy r bps G sol min = buy_spec r bps G sol min.
Proof.
  intros W Q M. pose proof W as (S & T & U & B).
  assert (F : 0 <= fee bps sol <= sol) by (split; [apply ceil_nonneg; bounds; nia | apply ceil_le; bounds; nia]).
  unfold buy, buy_spec. destruct (Z.eqb_spec sol 0).
  { destruct (clipped r bps G sol); reflexivity. }
  unfold u64_checked_sub at 1, checked_sub at 1. destruct (Z.leb_spec G (vT r)); [|lia]. cbn [ok_or bind].
  rewrite fee_on_exact by assumption. cbn [bind]. fold (fee bps sol).
  unfold u64_checked_sub at 1, checked_sub at 1. destruct (Z.leb_spec (fee bps sol) sol); [|lia]. cbn [ok_or bind].
  fold (net bps sol). assert (N : 0 <= net bps sol <= sol) by (unfold net; lia).
  unfold tokens_for, u128_checked_add, within.
  destruct (Z.leb_spec (vS r + net bps sol) u128_max); [|bounds; lia]. cbn [ok_or bind].
  rewrite mul_div_down by (bounds; lia). fold (out r bps sol).
  assert (O : 0 <= out r bps sol <= vT r).
  { unfold out. split; [apply floor_nonneg; nia|]. apply Z.lt_succ_r, Z.div_lt_upper_bound; nia. }
  destruct (Z.leb_spec (out r bps sol) u64_max); [|lia]. cbn [bind]. fold (last r G).
  rewrite Z.gtb_ltb. fold (clipped r bps G sol). destruct (clipped r bps G sol) eqn:C.
  - destruct (clip_net r bps G sol W ltac:(lia) C) as [N0 N1].
    destruct (clip_charge r bps G sol W ltac:(lia) C) as [F0 F1].
    assert (L : 0 <= last r G < out r bps sol) by (split; [unfold last; lia | now apply Z.ltb_lt in C]).
    assert (E : cost_of r bps (last r G) = Ok (last_net r G, last_fee r bps G)).
    { unfold cost_of, u64_checked_sub at 1, checked_sub at 1. destruct (Z.leb_spec (last r G) (vT r)); [|lia].
      cbn [ok_or bind]. replace (vT r - last r G) with G by (unfold last; lia).
      rewrite mul_div_up by (bounds; lia). fold (last_net r G).
      destruct (Z.leb_spec (last_net r G) u64_max); [|bounds; lia]. cbn [bind].
      unfold u16_checked_sub, checked_sub, BASIS_POINTS. destruct (Z.leb_spec bps 10000); [|lia]. cbn [ok_or bind].
      rewrite mul_div_up by (bounds; lia). fold (last_fee r bps G).
      destruct (Z.leb_spec (last_fee r bps G) u64_max); [|bounds; lia]. reflexivity. }
    rewrite E. cbn [bind]. unfold u64_checked_add at 1, within at 1.
    destruct (Z.leb_spec (last_net r G + last_fee r bps G) u64_max); [|bounds; lia]. cbn [filter ok_or bind].
    destruct (Z.leb_spec (last_net r G + last_fee r bps G) sol); [|lia]. cbn [ok_or bind].
    rewrite !product_exact by (bounds; lia).
    destruct (last r G * sol <? min * (last_net r G + last_fee r bps G)); [reflexivity|]. cbn [bind].
    destruct (Z.eqb_spec (last r G) 0); [reflexivity|].
    unfold u64_checked_add, u64_checked_sub, checked_sub, within.
    destruct (Z.leb_spec (vS r + last_net r G) u64_max), (Z.ltb_spec u64_max (vS r + last_net r G)); try lia;
      cbn [ok_or bind]; [|reflexivity].
    destruct (Z.leb_spec (last r G) (vT r)); [|lia]. cbn [ok_or bind].
    rewrite Z.eqb_refl. replace (vT r - last r G =? G) with true; [reflexivity|].
    symmetry. apply Z.eqb_eq. unfold last. lia.
  - assert (L : out r bps sol <= last r G) by now apply Z.ltb_ge in C.
    destruct (out r bps sol <? min); [reflexivity|]. cbn [bind].
    destruct (Z.eqb_spec (out r bps sol) 0); [reflexivity|].
    unfold u64_checked_add, u64_checked_sub, checked_sub, within.
    destruct (Z.leb_spec (vS r + net bps sol) u64_max), (Z.ltb_spec u64_max (vS r + net bps sol)); try lia;
      cbn [ok_or bind]; [|reflexivity].
    destruct (Z.leb_spec (out r bps sol) (vT r)); [|lia]. cbn [ok_or bind].
    replace (out r bps sol =? last r G) with (vT r - out r bps sol =? G); [reflexivity|].
    unfold last. destruct (Z.eqb_spec (vT r - out r bps sol) G), (Z.eqb_spec (out r bps sol) (vT r - G)); lia || reflexivity.
Qed.

Theorem sell_is_its_specification r bps G t min :
  state r bps G -> u64 t -> u64 min -> sell r bps t min = sell_spec r bps t min.
Proof.
  intros (S & T & U & B) Q M. unfold sell, sell_spec.
  destruct (Z.eqb_spec t 0); [reflexivity|].
  unfold u64_checked_add, within.
  destruct (Z.leb_spec (vT r + t) u64_max), (Z.ltb_spec u64_max (vT r + t)); try lia; cbn [ok_or bind]; [|reflexivity].
  rewrite mul_div_down by (bounds; lia). fold (gross r t).
  assert (O : 0 <= gross r t <= vS r).
  { unfold gross. split; [apply floor_nonneg; bounds; nia|]. apply Z.lt_succ_r, Z.div_lt_upper_bound; bounds; nia. }
  destruct (Z.leb_spec (gross r t) u64_max); [|lia]. cbn [bind].
  rewrite fee_on_exact by (bounds; lia). cbn [bind].
  assert (F : cdiv (gross r t * bps) 10000 <= gross r t) by (apply ceil_le; nia).
  unfold u64_checked_sub, checked_sub.
  destruct (Z.leb_spec (cdiv (gross r t * bps) 10000) (gross r t)); [|lia]. cbn [ok_or bind].
  destruct (_ <? min); [reflexivity|]. destruct (_ =? 0); [reflexivity|].
  destruct (Z.leb_spec (gross r t) (vS r)); [|lia]. reflexivity.
Qed.

(* No operation panics, and none wraps: the outcome is a result or one of the two errors. *)
Corollary no_panic r bps G x min : state r bps G -> u64 x -> u64 min ->
  buy r bps G x min <> Panic /\ sell r bps x min <> Panic.
Proof.
  intros W X M. rewrite (buy_is_its_specification r bps G x min W X M), (sell_is_its_specification r bps G x min W X M).
  unfold buy_spec, sell_spec.
  split; [destruct (clipped r bps G x) | ];
    repeat match goal with |- context [if ?test then _ else _] => destruct test end; discriminate.
Qed.
