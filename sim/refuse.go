package sim

import "slices"

// An evictor is a Service that may drop what it has, to make room.
type evictor interface {
	Service
	Evict()
}

// Refuse makes the host's service answer with errors until Accept. Why says which; the service knows what it means.
func (h *Host) Refuse(why string) {
	h.refusals = append(h.refusals, why)
	h.world.note(Refusing, h, nil, 0, why)
}

// Accept ends one Refuse.
func (h *Host) Accept(why string) {
	i := slices.Index(h.refusals, why)
	h.refusals = slices.Delete(h.refusals, i, i+1)
	h.world.note(Accepting, h, nil, 0, why)
}

// Refusals returns why the host's service answers with errors; nothing if it doesn't.
func (h *Host) Refusals() []string { return h.refusals }

// Evict makes the host's service drop what it has, if it can and is on.
func (h *Host) Evict() {
	if s, ok := h.service.(evictor); ok && h.Up() {
		h.world.note(Evicting, h, nil, 0, nil)
		s.Evict()
	}
}
