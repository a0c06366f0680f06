(* The helpers of curve.rs, each exact. *)
From Coq Require Import ZArith Lia Bool.
Require Import Rust Rounding Curve Spec.
Open Scope Z_scope.

Ltac bounds := unfold u64, u64_max, u128_max in *.

Lemma square a b : u64 a -> u64 b -> 0 <= a * b <= u64_max * u64_max.
Proof. intros [A A'] [B B']. split; [now apply Z.mul_nonneg_nonneg | now apply Z.mul_le_mono_nonneg]. Qed.

Lemma product_exact a b : u64 a -> u64 b -> product a b = a * b.
Proof. intros A B. unfold product, u128_saturating_mul. apply Z.min_r. pose proof (square a b A B). bounds. lia. Qed.

Lemma mul_div_down a b d : u64 a -> u64 b -> 0 < d ->
  mul_div a b d Down = if a * b / d <=? u64_max then Ok (a * b / d) else Err Logical.
Proof.
  intros A B D. unfold mul_div, u128_checked_sub, checked_sub, u128_checked_div, checked_div, u64_try_from, within.
  rewrite product_exact by assumption.
  destruct (Z.leb_spec 1 d); [|lia]. cbn. destruct (Z.eqb_spec d 0); [lia|]. cbn.
  destruct (_ <=? _); reflexivity.
Qed.

Lemma mul_div_up a b d : u64 a -> u64 b -> 0 < d <= u64_max ->
  mul_div a b d Up = if cdiv (a * b) d <=? u64_max then Ok (cdiv (a * b) d) else Err Logical.
Proof.
  intros A B D. unfold mul_div, u128_checked_sub, checked_sub, u128_checked_add, u128_checked_div, checked_div, u64_try_from, within.
  rewrite product_exact by assumption.
  destruct (Z.leb_spec 1 d); [|lia]. cbn.
  assert (a * b + (d - 1) <= u128_max) by (pose proof (square a b A B); bounds; lia).
  destruct (Z.leb_spec (a * b + (d - 1)) u128_max); [|lia]. cbn. destruct (Z.eqb_spec d 0); [lia|]. cbn.
  unfold cdiv. replace (a * b + d - 1) with (a * b + (d - 1)) by lia.
  destruct (_ <=? _); reflexivity.
Qed.

(* Up to what fits a word the fee is computed in a word; it is the same fee. *)
Lemma fee_on_exact g bps : u64 g -> 0 <= bps < 10000 -> fee_on g bps = Ok (cdiv (g * bps) 10000).
Proof.
  intros G B. unfold fee_on. change (@u64_shr TradeError u64_max 16) with (@Ok TradeError Z 281474976710655). cbn [bind].
  assert (M : g * bps <= g * 10000) by (apply Z.mul_le_mono_nonneg_l; [apply G | lia]).
  assert (cdiv (g * bps) 10000 <= g) by (apply ceil_le; lia).
  destruct (Z.leb_spec g 281474976710655).
  - unfold u64_saturating_mul. rewrite Z.min_r by (bounds; lia).
    unfold u64_div_ceil, div_ceil, BASIS_POINTS. change (10000 =? 0) with false. cbn [bind].
    rewrite div_ceil_is by lia. reflexivity.
  - rewrite mul_div_up; [|assumption|bounds; lia|unfold BASIS_POINTS; bounds; lia]. unfold BASIS_POINTS.
    destruct (Z.leb_spec (cdiv (g * bps) 10000) u64_max); [reflexivity|bounds; lia].
Qed.

Theorem sol_in_is_the_sum b : 0 <= buy_net b + buy_fee b <= u64_max -> buy_sol_in b = buy_net b + buy_fee b.
Proof. intros H. unfold buy_sol_in, u64_saturating_add. lia. Qed.
