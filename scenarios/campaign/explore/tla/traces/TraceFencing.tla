--------------------------- MODULE TraceFencing ---------------------------
(***************************************************************************)
(* Is what a run of the simulator did a behaviour of Fencing.tla?  The     *)
(* steps of the lock are those of TraceLease.tla; those of storage follow. *)
(***************************************************************************)
EXTENDS Fencing, TraceLease

\* A run draws a token when the client gets the lock, before anything can stop it. Fencing.tla draws it with the read.
Draw(c) ==
  /\ Line.fence = 0 \/ Line.fence > drawn
  /\ drawn' = IF Line.fence = 0 THEN drawn ELSE Line.fence
  /\ fence' = [fence EXCEPT ![c] = Line.fence]
  /\ due' = [due EXCEPT ![c] = now]
  /\ UNCHANGED <<phase, seen>>

TraceRead(c) ==
  /\ Turn(c, "reading", Within(c, Patience))
  /\ Send2("read", c, fence[c], <<0, 0>>, post)
  /\ UNCHANGED <<fence, drawn, seen>>

Message(m) ==
  /\ m.client = Line.client /\ m.fence = Line.fence
  /\ m.kind = IF ~Line.answer THEN Line.kind ELSE IF Line.kind = "read" THEN "state" ELSE "written"

\* An answer of storage comes when the trace says so.
TraceReplies(c) ==
  IF Ended \/ Line.step \notin {"heard", "late"} \/ Line.kind \notin {"read", "write"} \/ Line.client # c \/ ~Awake(c) THEN {}
  ELSE {m \in post : Message(m)}

\* So does a request, whatever else is under way.
TraceToStorage == IF Ended THEN {} ELSE {m \in post : m.kind \in {"read", "write"} /\ Message(m)}

Discard(m) == post' = post \ {m} /\ UNCHANGED <<vars, holder, storage>>

AtStorage ==
  LET c == Line.client
  IN CASE Line.step = Line.kind    -> Act(c) /\ phase[c] = (IF Line.kind = "read" THEN "start" ELSE "working") /\ post' # post
       [] Line.step = "serve"   -> \E m \in ToStorage : Message(m) /\ Store(m) /\ (m.kind = "write" => (fenced' # fenced) = Line.won)
       [] Line.step = "heard"   -> \E m \in Replies(c) : Hear(m)
       [] Line.step = "late"    -> \E m \in Replies(c) : Discard(m)
       [] Line.step = "lost"    -> \E m \in post : Message(m) /\ Discard(m)
       [] Line.step = "timeout" -> UNCHANGED all

Both ==
  IF Line.kind \in {"read", "write"} THEN AtStorage
  ELSE /\ Happens
       /\ Line.step = "free" => ~Holds(Line.client)
       /\ CASE Line.step = "hold" -> Draw(Line.client)
            [] Line.step = "ask"  -> phase' = [phase EXCEPT ![Line.client] = "start"] /\ UNCHANGED <<due, fence, seen, drawn>>
            [] OTHER -> UNCHANGED holder
       /\ UNCHANGED <<storage, post>>

\* That a holder stops is no line of a trace.
Stops == \E c \in Clients : Act(c) /\ phase'[c] = "end"

NextOfBoth ==
  /\ ~Ended
  /\ \/ now < Due /\ now' = Due /\ UNCHANGED <<client, key, wire, changed, world, holder, storage, post, at>>
     \/ now = Due /\ Both /\ at' = at + 1
     \/ Stops /\ UNCHANGED at
  /\ UNCHANGED run

SpecOfBoth == InitAll /\ Begin /\ [][NextOfBoth]_<<all, run, at>>
=============================================================================
