// A receiver of hnotif's webhooks that checks signatures (https://www.standardwebhooks.com). It needs Go only.
//
//	SIGNING_SECRET=whsec_… PORT=8080 go run receiver.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const largestBody = 8 << 20

// The largest difference of the clocks, in seconds. An older message may be a recorded one.
const tolerance = 300

// isGenuine reports whether the body was signed with the key a short time ago. The body must be the received bytes.
func isGenuine(key []byte, header http.Header, body []byte) bool {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	at, err := strconv.ParseInt(timestamp, 10, 64)
	if id == "" || err != nil || math.Abs(float64(time.Now().Unix()-at)) > tolerance {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.", id, timestamp)
	mac.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	// While the secret is changed there are several signatures.
	for _, one := range strings.Split(header.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(one), []byte(expected)) {
			return true
		}
	}
	return false
}

// seen has the last ids. A message can come twice, with the same id.
type seen struct {
	sync.Mutex
	ids   map[string]bool
	order []string
}

func (s *seen) isNew(id string) bool {
	s.Lock()
	defer s.Unlock()
	if s.ids[id] {
		return false
	}
	s.ids[id] = true
	s.order = append(s.order, id)
	if len(s.order) > 10000 {
		delete(s.ids, s.order[0])
		s.order = s.order[1:]
	}
	return true
}

func main() {
	secret, port := os.Getenv("SIGNING_SECRET"), os.Getenv("PORT")
	if port == "" {
		port = "8080"
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(key) < 24 || !strings.HasPrefix(secret, "whsec_") {
		log.Fatal("SIGNING_SECRET must be the signing_secret of the sink, as whsec_…")
	}
	known := &seen{ids: map[string]bool{}}
	handler := func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, largestBody))
		if err != nil {
			response.WriteHeader(http.StatusRequestEntityTooLarge)
			return
		}
		if !isGenuine(key, request.Header, body) {
			response.WriteHeader(http.StatusUnauthorized)
			return
		}
		var message struct {
			Context struct {
				Event string
				Plan  struct{ Namespace, Name string }
			}
		}
		if err := json.Unmarshal(body, &message); err != nil {
			response.WriteHeader(http.StatusBadRequest)
			return
		}
		if known.isNew(request.Header.Get("webhook-id")) {
			fmt.Printf("%s %s/%s\n", message.Context.Event, message.Context.Plan.Namespace, message.Context.Plan.Name)
		}
		response.WriteHeader(http.StatusNoContent)
	}
	listener, err := net.Listen("tcp", ":"+port)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("listening on port %d\n", listener.Addr().(*net.TCPAddr).Port)
	server := http.Server{Handler: http.HandlerFunc(handler), ReadTimeout: 30 * time.Second}
	log.Fatal(server.Serve(listener))
}
