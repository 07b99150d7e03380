------------------------------- MODULE Lease -------------------------------
(***************************************************************************)
(* A lock that one server grants for a limited time: SET key token NX PX   *)
(* in Redis, a lease elsewhere.  Each client computes from its own clock   *)
(* how long it may rely on the lock.                                       *)
(*                                                                         *)
(* Time is discrete.  Everything is due at an instant, and time passes     *)
(* only when nothing is due.  So without deviations there is one           *)
(* behaviour, up to the order of steps that don't affect each other.       *)
(* Deviations are counted: a model bounds how many messages may be late,   *)
(* out of order or lost, and how many faults may happen.  The smallest     *)
(* bounds under which TLC finds a violation tell how many deviations the   *)
(* smallest counterexample has.                                            *)
(*                                                                         *)
(* An instant is half a tick.  A message takes one tick.  A message that   *)
(* comes after all others of its tick is half a tick late, and what it     *)
(* causes is in time again.                                                *)
(***************************************************************************)
EXTENDS Integers

CONSTANTS
  Clients,    \* numbers; of messages that arrive together, the smallest is first
  TTL,        \* for how many ticks the server keeps a key
  Allowance,  \* how many of these a client does not rely on
  Timeout,    \* for how long a client waits for an answer
  Retry,      \* for how long it rests after a failed attempt
  Work,       \* for how long a holder works
  Wall,       \* TRUE: clients use a clock that can be set
  Disk,       \* TRUE: a restart keeps the key
  LateBy,     \* by how many ticks a message may be late
  Messages,   \* how many messages may be late, out of order or lost
  Faults,     \* how many of the following faults may happen:
  Pauses,     \* lengths of a client's pauses, in ticks
  Restarts,   \* how long a restarted server is away
  ServerSteps, \* by how much its clock may be set forward
  ClientSteps  \* by how much a client's clock may be set back

VARIABLES
  now,        \* the true time
  pc,         \* what each client does
  token,      \* identifies its attempt: the instant at which it began
  deadline,   \* until when it may rely on the lock, on its clock
  wake,       \* when it acts by itself
  key,        \* the server's key, and until when it lives on the server's clock
  wire,       \* messages under way
  changed,    \* how many messages deviated
  resume,     \* when each client's pause ends
  skew,       \* how much its clock is ahead
  back,       \* when the server's restart ends
  ahead,      \* how much its clock is ahead
  hit         \* how many faults happened

client == <<pc, token, deadline, wake>>
world  == <<resume, skew, back, ahead, hit>>
vars   == <<now, client, key, wire, changed, world>>

Never == 1000000
NoKey == [owner |-> 0, token |-> 0, until |-> 0]

Stored   == IF key.until > now + ahead THEN key ELSE NoKey  \* a key expires by itself
Clock(c) == now + (IF Wall THEN skew[c] ELSE 0)
Awake(c) == now >= resume[c]

(***************************************************************************)
(* Messages.  Fates are how long a message may take; 0 is for lost.        *)
(***************************************************************************)
Fates == {2} \cup IF changed < Messages THEN {0, 3} \cup {2 + 2 * l : l \in LateBy} ELSE {}

Send(kind, c, t, others) ==
  \E f \in Fates :
    /\ changed' = changed + (IF f = 2 THEN 0 ELSE 1)
    /\ wire' = others \cup IF f = 0 THEN {} ELSE
         {[kind |-> kind, client |-> c, token |-> t, due |-> 2 * (now \div 2) + f]}

ToServer == {m \in wire : m.kind \in {"take", "free"}}
InTurn(m) == \A k \in ToServer : m.due < k.due \/ (m.due = k.due /\ m.client <= k.client)

(***************************************************************************)
(* The server.  While it is away, the client gets an error.                *)
(***************************************************************************)
Serve(m) ==
  LET up   == now >= back
      mine == Stored.owner = m.client /\ Stored.token = m.token
      won  == up /\ m.kind = "take" /\ Stored = NoKey
  IN /\ m.due <= now /\ InTurn(m)
     /\ Send(IF m.kind = "free" THEN "freed" ELSE IF won THEN "taken" ELSE "refused",
             m.client, m.token, wire \ {m})
     /\ key' = IF won THEN [owner |-> m.client, token |-> m.token, until |-> now + ahead + 2 * TTL]
               ELSE IF up /\ m.kind = "free" /\ mine THEN NoKey ELSE key
     /\ UNCHANGED <<now, client, world>>

(***************************************************************************)
(* Clients.                                                                *)
(***************************************************************************)
Answers(c) == {m \in wire \ ToServer : m.client = c /\ m.due <= now /\ Awake(c)}
Awaited(m) == LET c == m.client IN
  m.token = token[c] /\ pc[c] \in IF m.kind = "freed" THEN {"cleaning", "freeing"} ELSE {"asking"}

Become(c, state, at) ==
  /\ pc' = [pc EXCEPT ![c] = state]
  /\ wake' = [wake EXCEPT ![c] = at]

\* A failed attempt frees the key too: the client may have it without knowing.
Free(c, state, others) ==
  /\ Become(c, state, now + 2 * Timeout)
  /\ Send("free", c, token[c], others)
  /\ UNCHANGED <<token, deadline>>

Freed(c) ==
  /\ IF pc[c] = "freeing" THEN Become(c, "done", Never) ELSE Become(c, "rest", now + 2 * Retry)
  /\ UNCHANGED <<token, deadline, changed>>

\* The time that the attempt takes is deducted, because the deadline counts from its beginning.
Ask(c) ==
  /\ Become(c, "asking", now + 2 * Timeout)
  /\ token' = [token EXCEPT ![c] = now]
  /\ deadline' = [deadline EXCEPT ![c] = Clock(c) + 2 * (TTL - Allowance)]
  /\ Send("take", c, now, wire)

Left(c) == deadline[c] - Clock(c)

Hold(c) ==
  /\ Become(c, "holding", now + IF 2 * Work < Left(c) THEN 2 * Work ELSE Left(c))
  /\ UNCHANGED <<token, deadline, changed>>

Answer(m) ==
  LET c == m.client
      others == wire \ {m}
  IN /\ CASE ~Awaited(m)      -> wire' = others /\ UNCHANGED <<client, changed>>
          [] Awaited(m) /\ m.kind = "freed" -> wire' = others /\ Freed(c)
          [] Awaited(m) /\ m.kind = "taken" /\ Left(c) > 0 -> wire' = others /\ Hold(c)
          [] OTHER -> Free(c, "cleaning", others)
     /\ UNCHANGED <<now, key, world>>

\* Of an answer and its timeout, the answer comes first.
Step(c) ==
  /\ Awake(c) /\ now >= wake[c] /\ Answers(c) = {}
  /\ CASE pc[c] = "rest"    -> Ask(c)
       [] pc[c] = "asking"  -> Free(c, "cleaning", wire)
       [] pc[c] = "holding" -> Free(c, "freeing", wire)
       [] OTHER             -> Freed(c) /\ UNCHANGED wire
  /\ UNCHANGED <<now, key, world>>

(***************************************************************************)
(* Faults.                                                                 *)
(***************************************************************************)
Hit ==
  /\ hit < Faults /\ hit' = hit + 1
  /\ UNCHANGED <<now, client, wire, changed>>

Pause(c) == \E d \in Pauses :
  /\ Hit
  /\ resume' = [resume EXCEPT ![c] = now + 2 * d]
  /\ UNCHANGED <<key, skew, back, ahead>>

\* A key that is forgotten counts until the server is back without it: until then no other client can take it.
Restart == \E d \in Restarts :
  /\ Hit
  /\ back' = now + 2 * d
  /\ key' = IF Disk \/ Stored = NoKey \/ key.until < now + ahead + 2 * d THEN key
            ELSE [key EXCEPT !.until = now + ahead + 2 * d]
  /\ UNCHANGED <<resume, skew, ahead>>

SetClock ==
  /\ Hit
  /\ \/ \E d \in ServerSteps : ahead' = ahead + 2 * d /\ UNCHANGED skew
     \/ \E d \in ClientSteps, c \in Clients :
          skew' = [skew EXCEPT ![c] = @ - 2 * d] /\ UNCHANGED ahead
  /\ UNCHANGED <<key, resume, back>>

(***************************************************************************)
(* Time passes when nothing is due: to the next tick, or to half of it     *)
(* where something is due there.                                           *)
(***************************************************************************)
Halfway ==
  \/ \E m \in wire : m.due = now + 1
  \/ \E c \in Clients : wake[c] = now + 1 \/ resume[c] = now + 1
Pass ==
  /\ \A m \in ToServer : m.due > now
  /\ \A c \in Clients : Answers(c) = {} /\ (Awake(c) => wake[c] > now)
  /\ \E c \in Clients : pc[c] # "done"
  /\ now' = IF Halfway THEN now + 1 ELSE 2 * (now \div 2) + 2
  /\ UNCHANGED <<client, key, wire, changed, world>>

Init ==
  /\ now = 0
  /\ pc = [c \in Clients |-> "rest"] /\ wake = [c \in Clients |-> 0]
  /\ token = [c \in Clients |-> 0] /\ deadline = [c \in Clients |-> 0]
  /\ key = NoKey /\ wire = {} /\ changed = 0
  /\ resume = [c \in Clients |-> 0] /\ skew = [c \in Clients |-> 0]
  /\ back = 0 /\ ahead = 0 /\ hit = 0

Next ==
  \/ \E m \in ToServer : Serve(m)
  \/ \E c \in Clients : Step(c) \/ Pause(c) \/ \E m \in Answers(c) : Answer(m)
  \/ Restart \/ SetClock \/ Pass

Spec == Init /\ [][Next]_vars

(***************************************************************************)
(* What a lock promises.                                                   *)
(***************************************************************************)
Valid(c) == pc[c] = "holding" /\ Clock(c) < deadline[c]

\* Belief: no two clients act as holder.  A pause breaks it in every lease.
OneHolder == \A a, b \in Clients : pc[a] = "holding" /\ pc[b] = "holding" => a = b

\* Validity: no two clients may rely on the lock.
OneValid == \A a, b \in Clients : Valid(a) /\ Valid(b) => a = b

\* Quorum: while a client may rely on the lock, the server has its key.
KeyKept == \A c \in Clients : Valid(c) => Stored.owner = c /\ Stored.token = token[c]
=============================================================================
