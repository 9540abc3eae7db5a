package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"reflect"
	"sample"
	"sink"
	"strconv"
	"time"
)

// decodeData builds the value of a request's data. No data is nil.
func decodeData(raw json.RawMessage) (any, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	var data struct {
		Kind  string
		Value json.RawMessage
	}
	if err := json.Unmarshal(raw, &data); err != nil {
		return nil, err
	}
	switch data.Kind {
	case "json":
		var v any
		err := json.Unmarshal(data.Value, &v)
		return v, err
	case "notification":
		return decodeNotification(data.Value)
	case "typed":
		v := reflect.New(reflect.TypeFor[any]()).Elem()
		err := decodeTyped(data.Value, v)
		return v.Interface(), err
	}
	return nil, fmt.Errorf("no kind of data: %q", data.Kind)
}

// notification has the fields of Payload, with their Go names.
type notification struct {
	Plan                                     sink.PlanInfo
	Event                                    string
	Timestamp                                time.Time
	Phase, PreviousPhase, Operation, CycleID string
	Targets                                  []sink.TargetInfo
	TargetExecution                          *sink.TargetInfo
	ErrorMessage                             string
	RetryCount                               int
	SinkName, SinkType                       string
}

func decodeNotification(raw json.RawMessage) (any, error) {
	var n notification
	err := json.Unmarshal(raw, &n)
	return sink.Payload(n), err
}

// decodeTyped decodes a value into a variable. The value of an interface is an object with a Go type name and a value.
func decodeTyped(raw json.RawMessage, to reflect.Value) error {
	if to.Type() == reflect.TypeFor[time.Time]() {
		return decodeTime(raw, to)
	}
	isNull := string(raw) == "null"
	switch to.Kind() {
	case reflect.Interface:
		return decodeInterface(raw, to)
	case reflect.Bool:
		var b bool
		err := json.Unmarshal(raw, &b)
		to.SetBool(b)
		return err
	case reflect.String:
		return decodeString(raw, to)
	case reflect.Slice:
		if isNull {
			return nil
		}
		var items []json.RawMessage
		if err := json.Unmarshal(raw, &items); err != nil {
			return err
		}
		to.Set(reflect.MakeSlice(to.Type(), len(items), len(items)))
		return decodeItems(items, to)
	case reflect.Array:
		var items []json.RawMessage
		if err := json.Unmarshal(raw, &items); err != nil {
			return err
		}
		return decodeItems(items, to)
	case reflect.Map:
		if isNull {
			return nil
		}
		return decodeMap(raw, to)
	case reflect.Pointer:
		if isNull {
			return nil
		}
		to.Set(reflect.New(to.Type().Elem()))
		return decodeTyped(raw, to.Elem())
	case reflect.Struct:
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(raw, &fields); err != nil {
			return err
		}
		for name, value := range fields {
			if err := decodeTyped(value, to.FieldByName(name)); err != nil {
				return err
			}
		}
		return nil
	}
	return decodeNumber(raw, to)
}

func decodeInterface(raw json.RawMessage, to reflect.Value) error {
	var boxed *struct {
		Type  string
		Value json.RawMessage
	}
	if err := json.Unmarshal(raw, &boxed); err != nil || boxed == nil {
		return err
	}
	expr, err := parser.ParseExpr(boxed.Type)
	if err != nil {
		return err
	}
	v := reflect.New(typeOf(expr)).Elem()
	if err := decodeTyped(boxed.Value, v); err != nil {
		return err
	}
	to.Set(v)
	return nil
}

// decodeString accepts a string or, for bytes that are not UTF-8, an object with their base64.
func decodeString(raw json.RawMessage, to reflect.Value) error {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		to.SetString(s)
		return nil
	}
	var encoded struct{ Base64 string }
	if err := json.Unmarshal(raw, &encoded); err != nil {
		return err
	}
	b, err := base64.StdEncoding.DecodeString(encoded.Base64)
	to.SetString(string(b))
	return err
}

func decodeItems(items []json.RawMessage, to reflect.Value) error {
	for i, item := range items {
		if err := decodeTyped(item, to.Index(i)); err != nil {
			return err
		}
	}
	return nil
}

// decodeMap accepts a list of pairs of key and value.
func decodeMap(raw json.RawMessage, to reflect.Value) error {
	var pairs [][2]json.RawMessage
	if err := json.Unmarshal(raw, &pairs); err != nil {
		return err
	}
	to.Set(reflect.MakeMap(to.Type()))
	for _, pair := range pairs {
		key, value := reflect.New(to.Type().Key()).Elem(), reflect.New(to.Type().Elem()).Elem()
		if err := decodeTyped(pair[0], key); err != nil {
			return err
		}
		if err := decodeTyped(pair[1], value); err != nil {
			return err
		}
		to.SetMapIndex(key, value)
	}
	return nil
}

// decodeNumber accepts a number as text, because not all JSON parsers support 64 bits.
func decodeNumber(raw json.RawMessage, to reflect.Value) error {
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return err
	}
	bits := to.Type().Bits()
	switch {
	case to.CanInt():
		n, err := strconv.ParseInt(text, 10, bits)
		to.SetInt(n)
		return err
	case to.CanUint():
		n, err := strconv.ParseUint(text, 10, bits)
		to.SetUint(n)
		return err
	}
	f, err := strconv.ParseFloat(text, bits)
	to.SetFloat(f)
	return err
}

// decodeTime accepts RFC 3339, or seconds and nanoseconds since 1970 with the name of a zone.
func decodeTime(raw json.RawMessage, to reflect.Value) error {
	var t time.Time
	if json.Unmarshal(raw, &t) == nil {
		to.Set(reflect.ValueOf(t))
		return nil
	}
	var moment struct {
		Seconds     int64 `json:",string"`
		Nanoseconds int64
		Zone        string
	}
	if err := json.Unmarshal(raw, &moment); err != nil {
		return err
	}
	zone, err := time.LoadLocation(moment.Zone)
	if err != nil {
		return err
	}
	to.Set(reflect.ValueOf(time.Unix(moment.Seconds, moment.Nanoseconds).In(zone)))
	return nil
}

var named = map[string]reflect.Type{}

func init() {
	for _, v := range []any{
		false, "", 0, int8(0), int16(0), int32(0), int64(0), uint(0), uint8(0), uint16(0), uint32(0), uint64(0),
		float32(0), 0.0, time.Time{}, time.Duration(0), time.Month(0), time.Weekday(0),
		sample.Box{}, sample.Level(0), sample.Word(""),
		sink.Payload{}, sink.PlanInfo{}, sink.TargetInfo{}, sink.ConnectorInfo{},
	} {
		t := reflect.TypeOf(v)
		named[t.String()] = t
	}
	named["any"] = reflect.TypeFor[any]()
}

// typeOf returns the type that an expression names. It panics if the type is unknown.
func typeOf(expr ast.Expr) reflect.Type {
	switch e := expr.(type) {
	case *ast.Ident:
		return known(e.Name)
	case *ast.SelectorExpr:
		return known(e.X.(*ast.Ident).Name + "." + e.Sel.Name)
	case *ast.InterfaceType:
		return named["any"]
	case *ast.StarExpr:
		return reflect.PointerTo(typeOf(e.X))
	case *ast.MapType:
		return reflect.MapOf(typeOf(e.Key), typeOf(e.Value))
	case *ast.ArrayType:
		if e.Len == nil {
			return reflect.SliceOf(typeOf(e.Elt))
		}
		n, _ := strconv.Atoi(e.Len.(*ast.BasicLit).Value)
		return reflect.ArrayOf(n, typeOf(e.Elt))
	}
	panic(fmt.Sprintf("no type: %T", expr))
}

func known(name string) reflect.Type {
	t, ok := named[name]
	if !ok {
		panic("no type: " + name)
	}
	return t
}
