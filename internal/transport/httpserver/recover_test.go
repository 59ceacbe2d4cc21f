package httpserver

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"parlance/internal/transport/queryapi"
)

func panicking(http.ResponseWriter, *http.Request) { panic("secret detail") }

type panickingService struct{ queryapi.Service }

func TestPanicAnswersItsRequestOnly(t *testing.T) {
	for _, c := range []struct {
		path   string
		mirror bool
		status int
		want   string
	}{
		{rpcPath, false, 500, `{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"Internal error","data":{"traceId":"t"}}}`},
		{queryPath, false, 200, `{"code":500,"data":null,"msg":"Internal error (trace t)"}`},
		{queryPath, true, 500, `{"code":500,"data":null,"msg":"Internal error (trace t)"}`},
	} {
		lines := logged(t, &fakeService{}, func(o *Options) {
			o.RPC[rpcPath] = http.HandlerFunc(panicking)
			o.Query = queryapi.New(queryapi.Options{Service: panickingService{}, MirrorStatus: c.mirror})
		}, func(h http.Handler) {
			w := ask(h, "POST", c.path, "", "X-Trace-Id: t")
			if w.Code != c.status || w.Body.String() != c.want {
				t.Errorf("%s = %d %s", c.path, w.Code, w.Body)
			}
		})
		if len(lines) != 2 || lines[0]["msg"] != "panic" || lines[0]["trace"] != "t" || lines[1]["outcome"] != "panic" {
			t.Fatalf("%s logged %v", c.path, lines)
		}
		if stack := lines[0]["stack"].(string); !strings.Contains(stack, "httpserver") {
			t.Errorf("%s: no stack: %s", c.path, stack)
		}
	}
}

func TestPanicAfterTheAnswerBeganClosesTheConnection(t *testing.T) {
	lines := logged(t, &fakeService{}, func(o *Options) {
		o.RPC[rpcPath] = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte("half"))
			panic("late")
		})
	}, func(h http.Handler) {
		defer func() {
			got := recover()
			if err, ok := got.(error); !ok || !errors.Is(err, http.ErrAbortHandler) {
				t.Errorf("recovered %v", got)
			}
		}()
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("POST", "http://"+home+rpcPath, nil))
	})
	if len(lines) != 2 || lines[0]["msg"] != "panic" || lines[1]["outcome"] != "panic" {
		t.Errorf("lines: %v", lines)
	}
}
