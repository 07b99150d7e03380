------------------------------ MODULE Fencing ------------------------------
(***************************************************************************)
(* What a lease protects: holders of the lock of Lease.tla read a version  *)
(* from storage, work, and write the next one.  A write that is based on   *)
(* an old version loses an update.                                         *)
(*                                                                         *)
(* Storage keeps two registers.  The plain one takes every write.  The     *)
(* fenced one rejects a fencing token below the largest that it has seen:  *)
(* in writes, or in reads and writes.  A lease alone does not protect the  *)
(* plain one.  Tokens on writes alone do not protect the fenced one: a     *)
(* holder may read, and another with a smaller token then write.           *)
(*                                                                         *)
(* Lease.tla's Work is 0 here: its holder acts when it gets the lock, and  *)
(* the steps below come first.  Messages to storage are on a wire of their *)
(* own, and deviate like all others.                                       *)
(***************************************************************************)
EXTENDS Lease

CONSTANTS
  Busy,      \* for how long a holder works between reading and writing, in ticks
  Patience,  \* for how long it waits for storage
  ReadsMark  \* TRUE: storage checks and remembers the tokens of reads too

VARIABLES
  phase,     \* what each holder does
  due,       \* when it acts by itself
  fence,     \* its token
  seen,      \* the versions that it read
  drawn,     \* the tokens that were drawn
  post,      \* messages to and from storage
  plain, fenced,           \* the current versions
  highest,                 \* the largest token that storage has seen
  lostPlain, lostFenced    \* an update was overwritten by one that is not based on it

holder  == <<phase, due, fence, seen, drawn>>
storage == <<plain, fenced, highest, lostPlain, lostFenced>>
all     == <<vars, holder, storage, post>>

Soonest(a, b) == IF a < b THEN a ELSE b

Send2(kind, c, f, s, others) ==
  \E d \in Fates :
    /\ changed' = changed + (IF d = 2 THEN 0 ELSE 1)
    /\ post' = others \cup IF d = 0 THEN {} ELSE
         {[kind |-> kind, client |-> c, fence |-> f, seen |-> s, due |-> 2 * (now \div 2) + d]}

ToStorage == {m \in post : m.kind \in {"read", "write"}}
Replies(c) == {m \in post \ ToStorage : m.client = c /\ m.due <= now /\ Awake(c)}

(***************************************************************************)
(* Storage.                                                                *)
(***************************************************************************)
Store(m) ==
  LET good == m.fence >= highest IN
  /\ m.due <= now
  /\ \A k \in ToStorage : m.due < k.due \/ (m.due = k.due /\ m.client <= k.client)
  /\ IF m.kind = "read"
     THEN /\ highest' = IF ReadsMark /\ good THEN m.fence ELSE highest
          /\ Send2("state", m.client, m.fence, <<plain, fenced>>, post \ {m})
          /\ UNCHANGED <<plain, fenced, lostPlain, lostFenced>>
     ELSE /\ plain' = plain + 1
          /\ lostPlain' = (lostPlain \/ m.seen[1] < plain)
          /\ highest' = IF good THEN m.fence ELSE highest
          /\ fenced' = IF good THEN fenced + 1 ELSE fenced
          /\ lostFenced' = (lostFenced \/ (good /\ m.seen[2] < fenced))
          /\ Send2("written", m.client, m.fence, <<0, 0>>, post \ {m})
  /\ UNCHANGED <<now, client, key, wire, world, holder>>

(***************************************************************************)
(* Holders.  A holder never waits or works longer than it may rely on the  *)
(* lock, and looks again before it writes.                                 *)
(***************************************************************************)
Turn(c, next, at) ==
  /\ phase' = [phase EXCEPT ![c] = next]
  /\ due' = [due EXCEPT ![c] = at]

Within(c, d) == now + Soonest(2 * d, Left(c))

Read(c) ==
  /\ Turn(c, "reading", Within(c, Patience))
  /\ drawn' = drawn + 1 /\ fence' = [fence EXCEPT ![c] = drawn + 1]
  /\ Send2("read", c, drawn + 1, <<0, 0>>, post)
  /\ UNCHANGED seen

Write(c) ==
  /\ Turn(c, "writing", Within(c, Patience))
  /\ Send2("write", c, fence[c], seen[c], post)
  /\ UNCHANGED <<fence, seen, drawn>>

End(c) == Turn(c, "end", now) /\ UNCHANGED <<fence, seen, drawn, post, changed>>

Holds(c) == pc[c] = "holding" /\ phase[c] # "end"

Act(c) ==
  /\ Holds(c) /\ Awake(c) /\ now >= due[c] /\ Replies(c) = {}
  /\ IF Left(c) > 0 /\ phase[c] = "start" THEN Read(c)
     ELSE IF Left(c) > 0 /\ phase[c] = "working" THEN Write(c)
     ELSE End(c)
  /\ UNCHANGED <<now, client, key, wire, world, storage>>

Hear(m) ==
  LET c == m.client IN
  /\ IF pc[c] = "holding" /\ phase[c] = "reading" /\ m.kind = "state"
     THEN Turn(c, "working", Within(c, Busy)) /\ seen' = [seen EXCEPT ![c] = m.seen]
     ELSE /\ UNCHANGED seen
          /\ IF pc[c] = "holding" /\ phase[c] = "writing" /\ m.kind = "written"
             THEN Turn(c, "end", now) ELSE UNCHANGED <<phase, due>>
  /\ post' = post \ {m}
  /\ UNCHANGED <<now, client, key, wire, changed, world, fence, drawn, storage>>

(***************************************************************************)
(* Everything else is as in Lease.tla.                                     *)
(***************************************************************************)
StillDue ==
  \/ \E m \in ToStorage : m.due <= now
  \/ \E c \in Clients : Replies(c) # {} \/ (Holds(c) /\ Awake(c) /\ now >= due[c])

Soon == Halfway \/ (\E m \in post : m.due = now + 1) \/ (\E c \in Clients : due[c] = now + 1)

PassAll ==
  /\ \A m \in ToServer : m.due > now
  /\ \A c \in Clients : Answers(c) = {} /\ (Awake(c) => Holds(c) \/ wake[c] > now)
  /\ ~StillDue
  /\ \E c \in Clients : pc[c] # "done"
  /\ now' = IF Soon THEN now + 1 ELSE 2 * (now \div 2) + 2
  /\ UNCHANGED <<client, key, wire, changed, world>>

NextAll ==
  \/ \E m \in ToStorage : Store(m)
  \/ \E c \in Clients : Act(c) \/ \E m \in Replies(c) : Hear(m)
  \/ /\ \/ \E m \in ToServer : Serve(m)
        \/ \E c \in Clients : (~Holds(c) /\ Step(c)) \/ Pause(c) \/ \E m \in Answers(c) : Answer(m)
        \/ Restart \/ SetClock \/ PassAll
     /\ UNCHANGED <<holder, storage, post>>

InitAll ==
  /\ Init
  /\ phase = [c \in Clients |-> "start"] /\ due = [c \in Clients |-> 0]
  /\ fence = [c \in Clients |-> 0] /\ seen = [c \in Clients |-> <<0, 0>>] /\ drawn = 0
  /\ post = {} /\ plain = 0 /\ fenced = 0 /\ highest = 0
  /\ lostPlain = FALSE /\ lostFenced = FALSE

SpecAll == InitAll /\ [][NextAll]_all

NoLostUpdate == ~lostPlain
FencedUpdate == ~lostFenced
=============================================================================
