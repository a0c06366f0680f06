(* The settings that adminSetProperties accepts are those for which the other theorems are proved. *)
From Coq Require Import ZArith Lia Bool.
Require Import Rust Rounding Curve Spec Helpers World.
Require Settings.
Open Scope Z_scope.

Example constants_are : supply = Settings.TOKEN_SUPPLY /\ G = Settings.GRADUATION_VIRTUAL_TOKEN /\
  most_fee = Settings.MAX_PLATFORM_FEE_BPS.
Proof. repeat split. Qed.

Theorem accepted_settings sol tok bps : u64 sol -> u64 tok -> 0 <= bps ->
  Settings.accepts sol tok bps = true <-> settings sol tok /\ fee_allowed bps.
Proof.
  intros S T F. unfold Settings.accepts.
  assert (g : u64 Settings.GRADUATION_VIRTUAL_TOKEN) by (unfold Settings.GRADUATION_VIRTUAL_TOKEN; bounds; lia).
  assert (m : u64 u64_max) by (bounds; lia).
  rewrite !product_exact by assumption.
  change (u64_saturating_add Settings.TOKEN_SUPPLY Settings.GRADUATION_VIRTUAL_TOKEN) with (supply + G).
  change Settings.GRADUATION_VIRTUAL_TOKEN with G. change Settings.TOKEN_SUPPLY with supply.
  change Settings.MAX_PLATFORM_FEE_BPS with most_fee.
  unfold settings, fee_allowed, u64 in *. rewrite !Z.gtb_ltb, !andb_true_iff, !Z.ltb_lt, !Z.leb_le. lia.
Qed.
