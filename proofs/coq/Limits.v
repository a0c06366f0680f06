(* What does not hold, so that nobody reads more into the theorems than they say. *)
From Coq Require Import ZArith.
Require Import Rust Curve Spec Trades World.
Open Scope Z_scope.

Definition default := {| reserves_virtual_sol := 30000000000; reserves_virtual_token := 1073000000000000 |}.

(* The buyer of the last tokens can get less than the minimum, because it then binds the price: they pay less too. *)
Example less_than_the_minimum :
  match buy default 100 G u64_max 1000000000000000000 with Ok b => buy_token_out b | _ => 0 end = 793000000000000.
Proof. vm_compute. reflexivity. Qed.

(* A fee is rounded up to a lamport. Of two lamports at 0.01 % that is half. *)
Example half_is_fee :
  match buy default 1 G 2 0 with Ok b => (buy_net b, buy_fee b, buy_token_out b) | _ => (0, 0, 0) end = (1, 1, 35766).
Proof. vm_compute. reflexivity. Qed.

(* At the edge of the accepted settings, rounding takes the product over the bound of `can_graduate`: this curve never graduates.
   It begins with 4.8 billion virtual SOL, eight times all SOL. Its holders can still sell. *)
Definition at_the_edge := {| reserves_virtual_sol := 4813689040669780477; reserves_virtual_token := 1073000000000000 |}.

Example graduation_out_of_reach :
  settings (vS at_the_edge) (vT at_the_edge) /\
  match buy at_the_edge 100 G 12345 0 with
  | Ok b =>
      match buy (buy_reserves b) 100 G 50000000 0 with
      | Ok c => G * u64_max < k (buy_reserves c) /\ buy (buy_reserves c) 100 G u64_max 0 = Err Logical
      | _ => False
      end
  | _ => False
  end.
Proof. split; vm_compute; repeat split; reflexivity || discriminate. Qed.
