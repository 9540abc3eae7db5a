// Command oracle executes templates with Go's text/template. Each line of input is a JSON request, each line of output an answer.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/metrics"
	"text/template"
	"time"
)

type request struct {
	ID         int             `json:"id"`
	Template   string          `json:"template"`
	Name       string          `json:"name"`
	Funcs      string          `json:"funcs"`
	MissingKey string          `json:"missingkey"`
	Data       json.RawMessage `json:"data"`
	// Signatures requests the functions' types instead.
	Signatures bool `json:"signatures"`
	// Execute and Parse request the time of so many executions, or parses followed by an execution.
	Execute int `json:"execute"`
	Parse   int `json:"parse"`
}

type answer struct {
	ID          int               `json:"id"`
	Output      []byte            `json:"output"`
	Error       []byte            `json:"error,omitempty"`
	Stage       string            `json:"stage,omitempty"`
	Signatures  map[string]string `json:"signatures,omitempty"`
	Nanoseconds int64             `json:"nanoseconds,omitempty"`
}

const (
	timeLimit   = 2 * time.Second
	memoryLimit = 2 << 30
	outputLimit = 32 << 20
)

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var req request
		if err := json.Unmarshal(line, &req); err != nil {
			fmt.Fprintln(os.Stderr, "oracle:", err)
			os.Exit(2)
		}
		ans, ok := bounded(&req)
		ans.ID = req.ID
		text, err := json.Marshal(ans)
		if err != nil {
			panic(err)
		}
		// Written at once, so that the end of the process loses no earlier answers.
		os.Stdout.Write(append(text, '\n'))
		// A goroutine cannot be stopped, so after a timeout the process ends. The caller starts another.
		if !ok {
			os.Exit(3)
		}
	}
}

// bounded handles a request. It returns false if the request exceeds a limit.
func bounded(req *request) (answer, bool) {
	done := make(chan answer, 1)
	go func() { done <- handle(req) }()
	if req.Execute > 0 || req.Parse > 0 {
		return <-done, true
	}
	deadline := time.After(timeLimit)
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for {
		select {
		case ans := <-done:
			return ans, true
		case <-deadline:
			return answer{Error: []byte("time"), Stage: "limit"}, false
		case <-look.C:
			if heap() > memoryLimit {
				return answer{Error: []byte("memory"), Stage: "limit"}, false
			}
		}
	}
}

func heap() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

func handle(req *request) (ans answer) {
	defer func() {
		if r := recover(); r != nil {
			ans = answer{Error: []byte(fmt.Sprint(r)), Stage: "panic"}
		}
	}()
	if req.Signatures {
		return answer{Signatures: signatures()}
	}
	if req.Execute > 0 || req.Parse > 0 {
		return measure(req)
	}
	t, failure := prepare(req)
	if failure != nil {
		return *failure
	}
	data, err := decodeData(req.Data)
	if err != nil {
		return answer{Error: []byte(err.Error()), Stage: "data"}
	}
	var out limited
	if err := t.Execute(&out, data); errors.Is(err, errTooLong) {
		return answer{Error: []byte("output"), Stage: "limit"}
	} else if err != nil {
		return answer{Error: []byte(err.Error()), Stage: "exec"}
	}
	return answer{Output: out.buffer.Bytes()}
}

// prepare parses the template. If that fails, it returns the answer with the error.
func prepare(req *request) (t *template.Template, failure *answer) {
	t = template.New(req.Name)
	if req.Funcs != "builtin" {
		t.Funcs(functions)
	}
	if req.MissingKey != "" {
		if r := option(t, "missingkey="+req.MissingKey); r != nil {
			return nil, &answer{Error: []byte(fmt.Sprint(r)), Stage: "option"}
		}
	}
	if _, err := t.Parse(req.Template); err != nil {
		return nil, &answer{Error: []byte(err.Error()), Stage: "parse"}
	}
	return t, nil
}

func option(t *template.Template, text string) (r any) {
	defer func() { r = recover() }()
	t.Option(text)
	return nil
}

func measure(req *request) answer {
	t, failure := prepare(req)
	if failure != nil {
		return *failure
	}
	data, err := decodeData(req.Data)
	if err != nil {
		return answer{Error: []byte(err.Error()), Stage: "data"}
	}
	var out bytes.Buffer
	runtime.GC()
	start := time.Now()
	for range req.Execute + req.Parse {
		if req.Parse > 0 {
			t, _ = prepare(req)
		}
		out.Reset()
		if err := t.Execute(&out, data); err != nil {
			return answer{Error: []byte(err.Error()), Stage: "exec"}
		}
	}
	return answer{Output: out.Bytes(), Nanoseconds: time.Since(start).Nanoseconds()}
}

var errTooLong = errors.New("too long")

// limited stores the output, up to a limit.
type limited struct{ buffer bytes.Buffer }

func (l *limited) Write(p []byte) (int, error) {
	if l.buffer.Len()+len(p) > outputLimit {
		return 0, errTooLong
	}
	return l.buffer.Write(p)
}
