package service

import (
	"container/list"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"sync"
	"time"

	"parlance/internal/fault"
	"parlance/internal/question"
)

// SessionLimits bound the conversations that are remembered. The zero value is 10,000 of them, for 30 minutes.
type SessionLimits struct {
	Number int           // in all; an eighth of them for one known user
	Age    time.Duration // since the last question
}

func (l SessionLimits) orDefault() SessionLimits {
	if l.Number <= 0 {
		l.Number = 10_000
	}
	if l.Age <= 0 {
		l.Age = 30 * time.Minute
	}
	return l
}

// talk is what a conversation has come to.
type talk struct {
	previous *question.Proposal  // that was answered last
	offered  []question.Proposal // that the caller was asked to choose from
}

// owner is whose a conversation is: an identity with all that its grants are made from, in one generation of a namespace.
// To anybody else, and after the models change, it does not exist.
type owner struct {
	key   [sha256.Size]byte
	known bool // the identity has a name
}

func ownerOf(v view) owner {
	text, _ := json.Marshal(struct { // maps are written in the order of their keys
		Namespace, Generation string
		Identity              any
	}{v.caller.Namespace, v.generation.ID, v.caller.Identity})
	return owner{key: sha256.Sum256(text), known: v.caller.Identity.User != ""}
}

// sessions remembers conversations by ids that cannot be guessed. It is safe for concurrent use.
type sessions struct {
	SessionLimits
	now func() time.Time

	mu    sync.Mutex
	byID  map[string]*list.Element
	order *list.List // the last used first
	owned map[[sha256.Size]byte]int
}

type session struct {
	id    string
	owner owner
	used  time.Time
	talk  talk
}

func newSessions(l SessionLimits, now func() time.Time) *sessions {
	return &sessions{SessionLimits: l.orDefault(), now: now, byID: map[string]*list.Element{}, order: list.New(), owned: map[[sha256.Size]byte]int{}}
}

// find returns what an owner's conversation has come to; "" is a new one. Whatever is wrong with an id, the refusal is the
// same.
func (s *sessions) find(id string, by owner) (talk, error) {
	if id == "" {
		return talk{}, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forgetOld()
	e, ok := s.byID[id]
	if !ok || e.Value.(*session).owner.key != by.key {
		return talk{}, unknownSession(id)
	}
	s.touch(e)
	return e.Value.(*session).talk, nil
}

// keep remembers what a conversation has come to and returns its id, a new one where it has none.
func (s *sessions) keep(id string, by owner, t talk) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forgetOld()
	if e, ok := s.byID[id]; ok && e.Value.(*session).owner.key == by.key {
		e.Value.(*session).talk = t
		s.touch(e)
		return id
	}
	if by.known && s.owned[by.key] >= max(s.Number/8, 1) {
		s.forgetOldestOf(by)
	}
	for s.order.Len() >= s.Number {
		s.forget(s.order.Back())
	}
	id = newSessionID()
	s.byID[id] = s.order.PushFront(&session{id: id, owner: by, used: s.now(), talk: t})
	s.owned[by.key]++
	return id
}

func (s *sessions) touch(e *list.Element) {
	e.Value.(*session).used = s.now()
	s.order.MoveToFront(e)
}

// forgetOld drops what nobody has gone on with.
func (s *sessions) forgetOld() {
	before := s.now().Add(-s.Age)
	for e := s.order.Back(); e != nil && e.Value.(*session).used.Before(before); e = s.order.Back() {
		s.forget(e)
	}
}

func (s *sessions) forgetOldestOf(by owner) {
	for e := s.order.Back(); e != nil; e = e.Prev() {
		if e.Value.(*session).owner.key == by.key {
			s.forget(e)
			return
		}
	}
}

func (s *sessions) forget(e *list.Element) {
	gone := e.Value.(*session)
	s.order.Remove(e)
	delete(s.byID, gone.id)
	if s.owned[gone.owner.key]--; s.owned[gone.owner.key] == 0 {
		delete(s.owned, gone.owner.key)
	}
}

func newSessionID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return "q_" + hex.EncodeToString(b[:])
}

// pick returns the reading that the caller chooses of those that were offered: by its number or by its words.
func (t talk) pick(text string) *question.Proposal {
	said := strings.ToLower(strings.Trim(strings.TrimSpace(text), ".。!！)#"))
	for i := range t.offered {
		p := &t.offered[i]
		if strings.EqualFold(said, strings.Trim(strings.TrimSpace(p.Text), ".。!！)#")) {
			return p
		}
		for _, word := range ordinals[min(i, len(ordinals)-1)] {
			if said == word {
				return p
			}
		}
	}
	return nil
}

// ordinals are the ways to name the first, the second and the third of a few.
var ordinals = [][]string{
	{"1", "one", "first", "the first", "the first one", "first one", "第一个", "第一", "一"},
	{"2", "two", "second", "the second", "the second one", "second one", "第二个", "第二", "二"},
	{"3", "three", "third", "the third", "the third one", "third one", "第三个", "第三", "三"},
}

func unknownSession(id string) error {
	return &fault.Error{
		Kind: fault.NotFound, Reason: "unknown_session", Path: "session_id", Got: fault.Clip(id),
		Message: "There is no such session, or it has ended", Hint: "ask the whole question without session_id",
	}
}
