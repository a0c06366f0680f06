(* Who gets how much of a graduated curve: the amounts of the graduation program. threat: lost-in-graduation *)
From Coq Require Import ZArith Lia Bool.
Require Import Rust Rounding Split.
Open Scope Z_scope.

Notation sol := migration_sol.
Notation token := migration_token.
Notation vS := terms_virtual_sol.
Notation vT := terms_virtual_token.

Definition u64 (n : Z) : Prop := 0 <= n <= u64_max.
Ltac bounds := unfold u64, u64_max, u128_max in *.

(* What a migration took out of the curve, the curve's own reserves, the community's share, the costs of the pool. *)
Definition amounts (m : Migration) (t : Terms) (costs : Z) : Prop :=
  u64 (sol m) /\ u64 (token m) /\ u64 (vS t) /\ u64 (vT t) /\ 0 <= terms_after_migration_fee t <= 10000 /\ u64 costs.

Section Specification.
  Variables (m : Migration) (t : Terms) (open : bool) (costs : Z).
  Definition share (amount : Z) (is_open : bool) := if is_open then amount * terms_after_migration_fee t / 10000 else 0.
  Definition community_sol := share (sol m) open.
  Definition community_token := share (token m) open.
  Definition pool_sol := Z.max 0 (sol m - community_sol - costs).
  Definition left := token m - community_token.
  Definition pool_token := Z.min (pool_sol * vT t / vS t) left.

  Definition split_spec : res GraduationError Split :=
    if vS t =? 0 then Err AmountOutOfRange
    else if (pool_sol =? 0) || (pool_token =? 0) then Err TooLittleForPool
    else Ok {| split_community_sol := community_sol; split_community_token := community_token; split_costs := costs;
               split_pool_sol := pool_sol; split_pool_token := pool_token; split_burnt := left - pool_token |}.
End Specification.

Lemma square a b : u64 a -> u64 b -> 0 <= a * b <= u64_max * u64_max.
Proof. intros [A A'] [B B']. split; [now apply Z.mul_nonneg_nonneg | now apply Z.mul_le_mono_nonneg]. Qed.

Lemma quotient_exact a b c : u64 a -> u64 b -> quotient a b c = if c =? 0 then None else Some (a * b / c).
Proof.
  intros A B. unfold quotient, u128_checked_mul, within. pose proof (square a b A B).
  destruct (Z.leb_spec (a * b) u128_max); [reflexivity | bounds; lia].
Qed.

Lemma share_bounds (t : Terms) amount (is_open : bool) : 0 <= amount -> 0 <= terms_after_migration_fee t <= 10000 ->
  0 <= share t amount is_open <= amount.
Proof.
  intros A F. unfold share. destruct is_open; [|lia]. split; [apply floor_nonneg; nia|].
  apply Z.lt_succ_r, Z.div_lt_upper_bound; nia.
Qed.

Lemma share_exact (t : Terms) amount (is_open : bool) : u64 amount -> 0 <= terms_after_migration_fee t <= 10000 ->
  (if is_open then mul_div amount (terms_after_migration_fee t) BASIS_POINTS else (Ok 0 : res GraduationError Z))
  = Ok (share t amount is_open).
Proof.
  intros A F. pose proof (share_bounds t amount is_open ltac:(bounds; lia) F) as B. unfold share in *. destruct is_open; [|reflexivity].
  unfold mul_div, BASIS_POINTS. rewrite quotient_exact by (bounds; lia). change (10000 =? 0) with false. cbn [and_then].
  unfold u64_try_from, within. destruct (Z.leb_spec (amount * terms_after_migration_fee t / 10000) u64_max); [reflexivity | bounds; lia].
Qed.

(* The code is its specification. *)
Theorem split_is_its_specification m t open costs : amounts m t costs -> split_of m t open costs = split_spec m t open costs.
Proof.
  intros (S & T & V & W & F & C). unfold split_of, split_spec. cbv beta zeta.
  rewrite !share_exact by assumption. cbn [bind]. fold (community_sol m t open) (community_token m t open).
  pose proof (share_bounds t (sol m) open ltac:(bounds; lia) F) as A. fold (community_sol m t open) in A.
  pose proof (share_bounds t (token m) open ltac:(bounds; lia) F) as B. fold (community_token m t open) in B.
  unfold u64_checked_sub at 1, checked_sub at 1.
  destruct (Z.leb_spec (community_token m t open) (token m)); [|lia]. cbn [ok_or bind]. fold (left m t open).
  assert (P : unwrap_or (and_then (u64_checked_sub (sol m) (community_sol m t open)) (fun sol => u64_checked_sub sol costs)) 0
              = pool_sol m t open costs).
  { unfold u64_checked_sub, checked_sub, pool_sol.
    destruct (Z.leb_spec (community_sol m t open) (sol m)); [|lia]. cbn [and_then].
    destruct (Z.leb_spec costs (sol m - community_sol m t open)); cbn [unwrap_or]; bounds; lia. }
  rewrite P. unfold at_most. rewrite quotient_exact by (unfold pool_sol; bounds; lia).
  destruct (Z.eqb_spec (vS t) 0); [reflexivity|]. cbn [ok_or bind]. fold (pool_token m t open costs).
  assert (L : 0 <= pool_token m t open costs <= left m t open).
  { unfold pool_token. assert (0 <= pool_sol m t open costs * vT t / vS t).
    { apply floor_nonneg; [bounds; lia|]. unfold pool_sol. bounds. nia. }
    unfold left. lia. }
  unfold u64_try_from, within. destruct (Z.leb_spec (pool_token m t open costs) u64_max); [|unfold left in *; bounds; lia].
  cbn [ok_or bind]. rewrite !Z.gtb_ltb. assert (0 <= pool_sol m t open costs) by (unfold pool_sol; lia).
  destruct (Z.ltb_spec 0 (pool_sol m t open costs)), (Z.eqb_spec (pool_sol m t open costs) 0); try lia; cbn; [|reflexivity].
  destruct (Z.ltb_spec 0 (pool_token m t open costs)), (Z.eqb_spec (pool_token m t open costs) 0); try lia; cbn; [|reflexivity].
  unfold u64_checked_sub, checked_sub. destruct (Z.leb_spec (pool_token m t open costs) (left m t open)); [reflexivity | lia].
Qed.

Record paid_out (m : Migration) (t : Terms) (open : bool) (costs : Z) (s : Split) : Prop := {
  (* Share, pool and costs are all the SOL; share, pool and burn are all the tokens. *)
  all_sol : split_community_sol s + split_pool_sol s + split_costs s = sol m;
  all_token : split_community_token s + split_pool_token s + split_burnt s = token m;
  pool_some : 0 < split_pool_sol s /\ 0 < split_pool_token s;
  burnt_some : 0 <= split_burnt s;
  the_costs : split_costs s = costs;
  (* The community's share is its percentage, rounded down, or nothing where a storage is closed. *)
  share_sol : split_community_sol s = share t (sol m) open;
  share_token : split_community_token s = share t (token m) open;
  (* The pool opens at the curve's closing price or above it: SOL a token, compared crosswise. *)
  price_kept : split_pool_token s * vS t <= split_pool_sol s * vT t;
  (* It is above by less than one token unit, unless all the tokens that are left are in the pool. *)
  price_exact : 0 < split_burnt s -> split_pool_sol s * vT t < (split_pool_token s + 1) * vS t
}.

Theorem graduation_pays_out m t open costs s : amounts m t costs -> split_of m t open costs = Ok s ->
  paid_out m t open costs s.
Proof.
  intros A E. rewrite split_is_its_specification in E by assumption. unfold split_spec in E.
  destruct A as (S & T & V & W & F & C).
  destruct (Z.eqb_spec (vS t) 0); [discriminate|].
  destruct (Z.eqb_spec (pool_sol m t open costs) 0); [discriminate|].
  destruct (Z.eqb_spec (pool_token m t open costs) 0); [discriminate|]. injection E as <-.
  pose proof (share_bounds t (sol m) open ltac:(bounds; lia) F) as A. fold (community_sol m t open) in A.
  pose proof (share_bounds t (token m) open ltac:(bounds; lia) F) as B. fold (community_token m t open) in B.
  assert (P : 0 < pool_sol m t open costs) by (unfold pool_sol in *; lia).
  pose proof (floor_bounds (pool_sol m t open costs * vT t) (vS t) ltac:(bounds; lia)) as Q.
  assert (0 <= pool_sol m t open costs * vT t / vS t) by (apply floor_nonneg; bounds; nia).
  assert (L : pool_token m t open costs <= pool_sol m t open costs * vT t / vS t) by (unfold pool_token; lia).
  assert (0 <= pool_token m t open costs <= left m t open) by (unfold pool_token, left in *; lia).
  constructor; cbn [split_community_sol split_pool_sol split_costs split_community_token split_pool_token split_burnt];
    try reflexivity; try lia.
  - unfold pool_sol in *. lia.
  - unfold left. lia.
  - bounds. nia.
  - intros X. assert (R : pool_token m t open costs = pool_sol m t open costs * vT t / vS t) by (unfold pool_token in *; lia).
    rewrite R. lia.
Qed.

(* Nothing else refuses a graduation's amounts. *)
Theorem graduation_refused_only m t open costs e : amounts m t costs -> split_of m t open costs = Err e ->
  match e with
  | TooLittleForPool => sol m - community_sol m t open <= costs \/ pool_token m t open costs = 0
  | AmountOutOfRange => vS t = 0
  | _ => False
  end.
Proof.
  intros A E. rewrite split_is_its_specification in E by assumption. unfold split_spec in E.
  destruct (Z.eqb_spec (vS t) 0); [injection E as <-; assumption|].
  destruct (Z.eqb_spec (pool_sol m t open costs) 0); cbn [orb] in E.
  { injection E as <-. left. unfold pool_sol in *. lia. }
  destruct (Z.eqb_spec (pool_token m t open costs) 0); [injection E as <-; now right | discriminate].
Qed.

Theorem graduation_never_panics m t open costs : amounts m t costs -> split_of m t open costs <> Panic.
Proof.
  intros A. rewrite split_is_its_specification by assumption. unfold split_spec.
  destruct (_ =? _); [discriminate|]. destruct (_ || _); discriminate.
Qed.
