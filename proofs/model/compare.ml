(* Repeats every line of the vectors in the model that was extracted from the proof: what the Rust made of a
   call must be what the model makes of it. Fields are separated by spaces:

     buy  virtual_sol virtual_token bps reserve sol_to_spend min     outcome
     sell virtual_sol virtual_token bps tokens min                   outcome
     split sol token virtual_sol virtual_token bps open costs  outcome    (open: 1 where both storages are)
     sol  virtual_sol virtual_token bps tokens                       least lamports or `none`
     tokens virtual_sol virtual_token bps sol                        least tokens or `none`
     highest token_out sol_to_spend sol_spent                        the highest minimum or `none` *)
open Big_int_Z
open Model

let number = big_int_of_string
let show = string_of_big_int
let join = String.concat " "
let reserves sol token = { reserves_virtual_sol = number sol; reserves_virtual_token = number token }

let after r = [ show r.reserves_virtual_sol; show r.reserves_virtual_token ]

let trade show_result = function
  | Ok done_ -> join ("ok" :: show_result done_)
  | Err Slippage -> "slippage"
  | Err Logical -> "logical"
  | Panic -> "panic"

let bought b =
  [ show b.buy_token_out; show b.buy_net; show b.buy_fee ] @ after b.buy_reserves
  @ [ (if b.buy_graduates then "1" else "0") ]

let sold s = [ show s.sell_gross; show s.sell_fee; show s.sell_sol_out ] @ after s.sell_reserves

let graduated = function
  | Ok s ->
    join ("ok" :: List.map show
        [ s.split_community_sol; s.split_community_token; s.split_costs; s.split_pool_sol; s.split_pool_token; s.split_burnt ])
  | Err TooLittleForPool -> "too-little"
  | Err AmountOutOfRange -> "out-of-range"
  | Err _ -> "another error"
  | Panic -> "panic"

let least = function Some amount -> show amount | None -> "none"

let repeat = function
  | "buy" :: vs :: vt :: bps :: reserve :: sol :: min :: outcome ->
    (outcome, trade bought (buy0 (reserves vs vt) (number bps) (number reserve) (number sol) (number min)))
  | "sell" :: vs :: vt :: bps :: tokens :: min :: outcome ->
    (outcome, trade sold (sell0 (reserves vs vt) (number bps) (number tokens) (number min)))
  | "split" :: sol :: token :: vs :: vt :: bps :: is_open :: costs :: outcome ->
    let terms = { terms_virtual_sol = number vs; terms_virtual_token = number vt; terms_after_migration_fee = number bps } in
    (outcome, graduated (split_of { migration_sol = number sol; migration_token = number token } terms (is_open = "1") (number costs)))
  | "sol" :: vs :: vt :: bps :: tokens :: outcome ->
    (outcome, least (least_sol (reserves vs vt) (number bps) (number tokens)))
  | "tokens" :: vs :: vt :: bps :: sol :: outcome ->
    (outcome, least (least_tokens (reserves vs vt) (number bps) (number sol)))
  | "highest" :: tokens :: sol :: spent :: outcome ->
    (outcome, least (highest_minimum (number tokens) (number sol) (number spent)))
  | line -> failwith ("not a vector: " ^ join line)

(* What a line is counted as. *)
let result = function
  | [ word ] when word.[0] > '9' -> word
  | _ -> "ok"

let () =
  let outcomes = Hashtbl.create 16 and lines = ref 0 and different = ref 0 in
  (try
     while true do
       let line = input_line stdin in
       let fields = String.split_on_char ' ' line in
       let outcome, model = repeat fields in
       incr lines;
       let kind = List.hd fields ^ " " ^ result outcome in
       Hashtbl.replace outcomes kind (1 + Option.value ~default:0 (Hashtbl.find_opt outcomes kind));
       if join outcome <> model then (
         incr different;
         if !different <= 5 then Printf.printf "differs: %s\n  the model: %s\n" line model)
     done
   with End_of_file -> ());
  let counts = Hashtbl.fold (fun kind count all -> Printf.sprintf "%s %d" kind count :: all) outcomes [] in
  Printf.printf "%d vectors, %d differ (%s)\n" !lines !different (String.concat ", " (List.sort compare counts));
  exit (if !different > 0 || !lines = 0 then 1 else 0)
