package main

import (
	"crypto/sha512"
	"encoding/hex"
	"reflect"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig/v3"
)

// withheld are the functions that read the machine or the network, or make keys, certificates and hashes.
var withheld = strings.Fields(`env expandenv getHostByName genPrivateKey genCA genCAWithKey genSelfSignedCert
	genSelfSignedCertWithKey genSignedCert genSignedCertWithKey buildCustomCert derivePassword encryptAES decryptAES bcrypt
	htpasswd`)

var functions = offered()

func offered() template.FuncMap {
	m := sprig.TxtFuncMap()
	for _, name := range withheld {
		delete(m, name)
	}
	// New in sprig 3.3.
	m["sha512sum"] = func(input string) string {
		sum := sha512.Sum512([]byte(input))
		return hex.EncodeToString(sum[:])
	}
	m["escapeHTML"] = strings.NewReplacer("<", "&lt;", ">", "&gt;", "&", "&amp;", `"`, "&#34;").Replace
	m["escapeMarkdown"] = markdown.Replace
	return m
}

var markdown = func() *strings.Replacer {
	var pairs []string
	for _, c := range "_*[]()~`>#+-=|{}.!" {
		pairs = append(pairs, string(c), `\`+string(c))
	}
	return strings.NewReplacer(pairs...)
}()

func signatures() map[string]string {
	m := map[string]string{}
	for name, f := range functions {
		m[name] = reflect.TypeOf(f).String()
	}
	return m
}
