(* The settings that adminSetProperties accepts are those for which the other theorems are proved. *)
From Coq Require Import ZArith Lia Bool.
Require Import Rust Rounding Curve Spec Helpers World.
Require Properties.
Open Scope Z_scope.

Example constants_are : supply = Properties.TOKEN_SUPPLY /\ G = Properties.GRADUATION_VIRTUAL_TOKEN /\
  most_fee = Properties.MAX_PLATFORM_FEE_BPS.
Proof. repeat split. Qed.

(* The fields are unsigned integers of their widths. *)
Definition typed (p : Properties.Properties) : Prop :=
  u64 (Properties.properties_initial_virtual_sol p) /\ u64 (Properties.properties_initial_virtual_token p) /\
  0 <= Properties.properties_platform_fee_bps p.

Theorem accepted_settings bump p : typed p ->
  Properties.properties_invariant bump p = Ok tt <->
  Properties.properties_initialized p = 1 /\ Properties.properties_bump p = bump /\
  settings (Properties.properties_initial_virtual_sol p) (Properties.properties_initial_virtual_token p) /\
  fee_allowed (Properties.properties_platform_fee_bps p).
Proof.
  intros (S & T & F). unfold Properties.properties_invariant.
  assert (g : u64 Properties.GRADUATION_VIRTUAL_TOKEN) by (unfold Properties.GRADUATION_VIRTUAL_TOKEN; bounds; lia).
  assert (m : u64 u64_max) by (bounds; lia).
  rewrite !product_exact by assumption.
  change (u64_saturating_add Properties.TOKEN_SUPPLY Properties.GRADUATION_VIRTUAL_TOKEN) with (supply + G).
  change Properties.GRADUATION_VIRTUAL_TOKEN with G. change Properties.TOKEN_SUPPLY with supply.
  change Properties.MAX_PLATFORM_FEE_BPS with most_fee. change Properties.properties_INITIALIZED with 1.
  unfold require, settings, fee_allowed, u64 in *. rewrite !Z.gtb_ltb.
  set (sol := Properties.properties_initial_virtual_sol p) in *. set (tok := Properties.properties_initial_virtual_token p) in *.
  match goal with |- context [if ?holds then _ else _] => destruct holds eqn:H end; cbn [bind].
  - rewrite !andb_true_iff, !Z.eqb_eq, !Z.ltb_lt, !Z.leb_le in H. split; [intros _ | reflexivity]. repeat split; lia.
  - split; [discriminate | intros X; exfalso]. revert H. apply not_false_iff_true.
    rewrite !andb_true_iff, !Z.eqb_eq, !Z.ltb_lt, !Z.leb_le. repeat split; lia.
Qed.
