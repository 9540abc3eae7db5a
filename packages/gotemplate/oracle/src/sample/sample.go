// Package sample declares a struct for fuzzing, with fields of nearly all types and methods of all kinds.
package sample

import (
	"errors"
	"strings"
	"time"
)

type Level int

func (l Level) String() string { return strings.Repeat("*", int(l&7)) }

type Word string

type Box struct {
	Name       string `json:"name"`
	Any        any    `json:"any,omitempty"`
	Int        int    `json:"int,omitempty"`
	Small      int8
	Byte       uint8
	Big        uint64
	Single     float32
	Double     float64
	Flag       bool
	Words      []string
	Numbers    []int `json:"numbers,omitempty"`
	Bytes      []byte
	Row        [3]int
	Attributes map[string]string
	Counts     map[string]int `json:"-"`
	ByNumber   map[int]string
	Next       *Box
	Level      Level
	Word       Word
	Took       time.Duration
	At         time.Time
	hidden     string
}

func (b Box) Title() string { return "<" + b.Name + ">" }

func (b Box) Sum(first int, rest ...int) int {
	for _, n := range rest {
		first += n
	}
	return first
}

func (b Box) Check(ok bool) (string, error) {
	if ok {
		return "checked", nil
	}
	return "unchecked", errors.New("not ok")
}

func (b Box) Nested(name string) Box { return Box{Name: name, Next: &b} }

func (b Box) Give(x any) any { return x }

func (b Box) Two() (int, int) { return 1, 2 }

func (b Box) Explode() string { panic("boom") }

func (b *Box) Pointed() string { return "*" + b.Name }
