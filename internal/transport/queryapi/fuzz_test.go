package queryapi

import (
	"encoding/json"
	"errors"
	"testing"
)

// FuzzBodies holds whatever is posted to the envelope: exactly three keys, a code of the contract, data null with
// every error, and nothing unclassified reaching the caller.
func FuzzBodies(f *testing.F) {
	for _, s := range []string{
		``, `{}`, `{"page":1,"pageSize":2,"param":{"columns":["a"],"slice":[{"field":"a","op":"[)","value":[1,2]}]}}`,
		`{"queryModel":"M","columns":["sum(a) as b"],"slice":[{"$or":[{"a":1},{"b":null}]}]}`, `{"param":{"orderBy":["-a"]}}`, `[`, `{"a":1,"a":2}`,
	} {
		f.Add([]byte(s))
	}
	h := handlerOver(newFake())
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, path := range []string{pagePath + "M", summaryPath} {
			w := post(h, path, string(body))
			if err := checkEnvelope(w.Body.Bytes()); err != nil || w.Code != 200 {
				t.Errorf("%s %q = %d %s: %v", path, body, w.Code, w.Body, err)
			}
		}
	})
}

func checkEnvelope(b []byte) error {
	var e map[string]json.RawMessage
	if err := json.Unmarshal(b, &e); err != nil {
		return err
	}
	if len(e) != 3 || e["code"] == nil || e["msg"] == nil || e["data"] == nil {
		return errors.New("not the envelope's three keys")
	}
	switch code := string(e["code"]); {
	case code == "0" && string(e["data"]) != "null":
	case code == "400" && string(e["data"]) == "null":
	default:
		return errors.New("code " + code + " does not fit the data")
	}
	return nil
}
