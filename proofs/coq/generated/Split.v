(* Generated from programs/graduation/src/instructions/graduate/split.rs by proofs/translator. Do not edit. *)
From Coq Require Import ZArith Bool.
Require Import Rust.
Open Scope bool_scope.
Open Scope Z_scope.

Definition BASIS_POINTS : Z := 10000.
Inductive GraduationError := WrongAccount | WrongAdmin | PoolFeeTooHigh | TooLittleForPool | PoolMismatch | FeesTouched | NothingToSweep | AmountOutOfRange.
Record Migration := { migration_sol : Z; migration_token : Z }.
Record Terms := { terms_virtual_sol : Z; terms_virtual_token : Z; terms_after_migration_fee : Z }.
Record Split := { split_community_sol : Z; split_community_token : Z; split_costs : Z; split_pool_sol : Z; split_pool_token : Z; split_burnt : Z }.

Definition quotient (a : Z) (b : Z) (c : Z) : option (Z) :=
  and_then (u128_checked_mul a b) (fun v1 =>
  (u128_checked_div v1 c)).

Definition mul_div (a : Z) (b : Z) (c : Z) : res GraduationError (Z) :=
  (ok_or (and_then (quotient a b c) (fun result => (u64_try_from result))) AmountOutOfRange).

Definition at_most (most : Z) (a : Z) (b : Z) (c : Z) : res GraduationError (Z) :=
  bind (ok_or (quotient a b c) AmountOutOfRange) (fun v1 =>
  let result := (Z.min v1 most) in
  (ok_or (u64_try_from result) AmountOutOfRange)).

Definition split_of (migration : Migration) (terms : Terms) (storages_open : bool) (costs : Z) : res GraduationError (Split) :=
  let share := (fun (amount : Z) =>
  if storages_open then
  (mul_div amount (terms_after_migration_fee terms) BASIS_POINTS)
  else
  (Ok 0)) in
  bind (share (migration_sol migration)) (fun v1 =>
  let community_sol := v1 in
  bind (share (migration_token migration)) (fun v2 =>
  let community_token := v2 in
  bind (ok_or (u64_checked_sub (migration_token migration) community_token) AmountOutOfRange) (fun v3 =>
  let left := v3 in
  let above_community := (u64_checked_sub (migration_sol migration) community_sol) in
  let pool_sol := (unwrap_or (and_then above_community (fun sol => (u64_checked_sub sol costs))) 0) in
  bind (at_most left pool_sol (terms_virtual_token terms) (terms_virtual_sol terms)) (fun v4 =>
  let pool_token := v4 in
  bind (require ((pool_sol >? 0) && (pool_token >? 0)) TooLittleForPool) (fun _ =>
  bind (ok_or (u64_checked_sub left pool_token) AmountOutOfRange) (fun v5 =>
  let burnt := v5 in
  (Ok {| split_community_sol := community_sol; split_community_token := community_token; split_costs := costs; split_pool_sol := pool_sol; split_pool_token := pool_token; split_burnt := burnt |}))))))).
