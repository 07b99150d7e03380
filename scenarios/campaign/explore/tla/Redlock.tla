------------------------------ MODULE Redlock ------------------------------
(***************************************************************************)
(* Redlock: a client has the lock if a majority of independent servers     *)
(* granted it a lease, within less time than the leases last.  It asks all *)
(* of them at once, and rests before it tries again.                       *)
(* https://redis.io/docs/latest/develop/use/patterns/distributed-locks     *)
(*                                                                         *)
(* Time, messages, deviations and faults are those of Lease.tla; so are    *)
(* the constants and variables, except that a server is one of several.    *)
(***************************************************************************)
EXTENDS Integers, FiniteSets, TLC

CONSTANTS
  Servers,    \* model values; they are interchangeable
  Clients, TTL, Allowance, Timeout, Retry, Work, Wall, Disk, LateBy, Messages,
  Faults, Pauses, Restarts, ServerSteps, ClientSteps

VARIABLES
  now, pc, token, deadline, wake,
  votes,      \* the servers that granted a client's attempt
  silent,     \* the servers whose answers it waits for
  keys, wire, changed, resume, skew, back, ahead, hit

client == <<pc, token, deadline, wake, votes, silent>>
world  == <<resume, skew, back, ahead, hit>>
vars   == <<now, client, keys, wire, changed, world>>

Symmetry == Permutations(Servers)
Majority(set) == 2 * Cardinality(set) > Cardinality(Servers)
Never == 1000000
NoKey == [owner |-> 0, token |-> 0, until |-> 0]

Stored(s) == IF keys[s].until > now + ahead[s] THEN keys[s] ELSE NoKey
Clock(c)  == now + (IF Wall THEN skew[c] ELSE 0)
Left(c)   == deadline[c] - Clock(c)
Awake(c)  == now >= resume[c]

(***************************************************************************)
(* Messages between a client and some servers, each with its own fate.     *)
(***************************************************************************)
Fates == IF changed < Messages THEN {0, 2, 3} \cup {2 + 2 * l : l \in LateBy} ELSE {2}

Send(kind, c, t, some, others) ==
  \E f \in [some -> Fates] :
    /\ changed' = changed + Cardinality({s \in some : f[s] # 2})
    /\ changed' <= Messages
    /\ wire' = others \cup
         {[kind |-> kind, client |-> c, server |-> s, token |-> t, due |-> 2 * (now \div 2) + f[s]]
            : s \in {s \in some : f[s] # 0}}

ToServers == {m \in wire : m.kind \in {"take", "free"}}
InTurn(m) == \A k \in ToServers :
  k.server = m.server => (m.due < k.due \/ (m.due = k.due /\ m.client <= k.client))

(***************************************************************************)
(* A server is a server of Lease.tla.                                      *)
(***************************************************************************)
Serve(m) ==
  LET s    == m.server
      up   == now >= back[s]
      mine == Stored(s).owner = m.client /\ Stored(s).token = m.token
      won  == up /\ m.kind = "take" /\ Stored(s) = NoKey
  IN /\ m.due <= now /\ InTurn(m)
     /\ Send(IF m.kind = "free" THEN "freed" ELSE IF won THEN "taken" ELSE "refused",
             m.client, m.token, {s}, wire \ {m})
     /\ keys' = [keys EXCEPT ![s] =
          IF won THEN [owner |-> m.client, token |-> m.token, until |-> now + ahead[s] + 2 * TTL]
          ELSE IF up /\ m.kind = "free" /\ mine THEN NoKey ELSE @]
     /\ UNCHANGED <<now, client, world>>

(***************************************************************************)
(* Clients.                                                                *)
(***************************************************************************)
Answers(c) == {m \in wire \ ToServers : m.client = c /\ m.due <= now /\ Awake(c)}
Awaited(m) == LET c == m.client IN
  m.token = token[c] /\ pc[c] \in IF m.kind = "freed" THEN {"cleaning", "freeing"} ELSE {"asking"}

Become(c, state, at) ==
  /\ pc' = [pc EXCEPT ![c] = state]
  /\ wake' = [wake EXCEPT ![c] = at]

Call(c, kind, t, state) ==
  /\ Become(c, state, now + 2 * Timeout)
  /\ silent' = [silent EXCEPT ![c] = Servers]
  /\ votes' = [votes EXCEPT ![c] = {}]
  /\ Send(kind, c, t, Servers, wire)

\* Step 1: it gets the time.  Step 2: it tries to take all keys.
Ask(c) ==
  /\ Call(c, "take", now, "asking")
  /\ token' = [token EXCEPT ![c] = now]
  /\ deadline' = [deadline EXCEPT ![c] = Clock(c) + 2 * (TTL - Allowance)]

\* Step 5: also servers that have not granted it are asked to free it.
Free(c, state) ==
  /\ Call(c, "free", token[c], state)
  /\ UNCHANGED <<token, deadline>>

\* Step 3: it counts the votes, and whether time is left.  Step 4: only that time counts.
Hold(c) ==
  /\ Become(c, "holding", now + IF 2 * Work < Left(c) THEN 2 * Work ELSE Left(c))
  /\ UNCHANGED <<token, deadline, votes, silent, wire, changed>>

Rest(c) ==
  /\ IF pc[c] = "freeing" THEN Become(c, "done", Never) ELSE Become(c, "rest", now + 2 * Retry)
  /\ votes' = [votes EXCEPT ![c] = {}] /\ silent' = [silent EXCEPT ![c] = {}]
  /\ UNCHANGED <<token, deadline, wire, changed>>

\* A client takes all answers that have come.
Hear(c) ==
  LET came == {m \in Answers(c) : Awaited(m)}
  IN /\ Answers(c) # {}
     /\ wire' = wire \ Answers(c)
     /\ silent' = [silent EXCEPT ![c] = @ \ {m.server : m \in came}]
     /\ votes' = [votes EXCEPT ![c] = @ \cup {m.server : m \in {k \in came : k.kind = "taken"}}]
     /\ UNCHANGED <<now, pc, token, deadline, wake, changed, keys, world>>

\* It waits for all answers, or until its timeout.
Ready(c) == Awake(c) /\
  (now >= wake[c] \/ (pc[c] \in {"asking", "cleaning", "freeing"} /\ silent[c] = {}))

Step(c) ==
  /\ Ready(c) /\ Answers(c) = {}
  /\ CASE pc[c] = "rest"    -> Ask(c)
       [] pc[c] = "asking"  -> IF Majority(votes[c]) /\ Left(c) > 0 THEN Hold(c) ELSE Free(c, "cleaning")
       [] pc[c] = "holding" -> Free(c, "freeing")
       [] OTHER             -> Rest(c)
  /\ UNCHANGED <<now, keys, world>>

(***************************************************************************)
(* Faults and time, as in Lease.tla.                                       *)
(***************************************************************************)
Hit ==
  /\ hit < Faults /\ hit' = hit + 1
  /\ UNCHANGED <<now, client, wire, changed>>

Pause(c) == \E d \in Pauses :
  /\ Hit
  /\ resume' = [resume EXCEPT ![c] = now + 2 * d]
  /\ UNCHANGED <<keys, skew, back, ahead>>

Restart(s) == \E d \in Restarts :
  /\ Hit
  /\ back' = [back EXCEPT ![s] = now + 2 * d]
  /\ keys' = [keys EXCEPT ![s] =
       IF Disk \/ Stored(s) = NoKey \/ @.until < now + ahead[s] + 2 * d THEN @
       ELSE [@ EXCEPT !.until = now + ahead[s] + 2 * d]]
  /\ UNCHANGED <<resume, skew, ahead>>

SetServer(s) == \E d \in ServerSteps :
  /\ Hit
  /\ ahead' = [ahead EXCEPT ![s] = @ + 2 * d]
  /\ UNCHANGED <<keys, resume, back, skew>>

SetClient(c) == \E d \in ClientSteps :
  /\ Hit
  /\ skew' = [skew EXCEPT ![c] = @ - 2 * d]
  /\ UNCHANGED <<keys, resume, back, ahead>>

Halfway ==
  \/ \E m \in wire : m.due = now + 1
  \/ \E c \in Clients : wake[c] = now + 1 \/ resume[c] = now + 1

Pass ==
  /\ \A m \in ToServers : m.due > now
  /\ \A c \in Clients : Answers(c) = {} /\ ~Ready(c)
  /\ \E c \in Clients : pc[c] # "done"
  /\ now' = IF Halfway THEN now + 1 ELSE 2 * (now \div 2) + 2
  /\ UNCHANGED <<client, keys, wire, changed, world>>

Init ==
  /\ now = 0
  /\ pc = [c \in Clients |-> "rest"] /\ wake = [c \in Clients |-> 0]
  /\ token = [c \in Clients |-> 0] /\ deadline = [c \in Clients |-> 0]
  /\ votes = [c \in Clients |-> {}] /\ silent = [c \in Clients |-> {}]
  /\ keys = [s \in Servers |-> NoKey] /\ wire = {} /\ changed = 0
  /\ resume = [c \in Clients |-> 0] /\ skew = [c \in Clients |-> 0]
  /\ back = [s \in Servers |-> 0] /\ ahead = [s \in Servers |-> 0] /\ hit = 0

Next ==
  \/ \E m \in ToServers : Serve(m)
  \/ \E c \in Clients : Hear(c) \/ Step(c) \/ Pause(c) \/ SetClient(c)
  \/ \E s \in Servers : Restart(s) \/ SetServer(s)
  \/ Pass

Spec == Init /\ [][Next]_vars

(***************************************************************************)
(* What a lock promises.                                                   *)
(***************************************************************************)
Valid(c) == pc[c] = "holding" /\ Clock(c) < deadline[c]

OneHolder == \A a, b \in Clients : pc[a] = "holding" /\ pc[b] = "holding" => a = b
OneValid  == \A a, b \in Clients : Valid(a) /\ Valid(b) => a = b
KeyKept   == \A c \in Clients :
  Valid(c) => Majority({s \in Servers : Stored(s).owner = c /\ Stored(s).token = token[c]})
=============================================================================
