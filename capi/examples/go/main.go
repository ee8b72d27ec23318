// A research step of an agent, in Go through cgo: walks over the pages of a search, reads a page as
// markdown, and ends a call whose context is cancelled.
//
//	CGO_CFLAGS=$(pkg-config --cflags freshet) CGO_LDFLAGS=$(pkg-config --libs freshet) go run . climate
package main

/*
#cgo LDFLAGS: -lfreshet
#include <freshet.h>
#include <stdlib.h>
*/
import "C"

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"
	"unsafe"
)

// Problem is a failed call: the problem document's code and detail.
type Problem struct {
	Code, Detail string
	RetryAfter   time.Duration // negative: nothing is known
}

func (p *Problem) Error() string { return p.Code + ": " + p.Detail }

// text lends a Go string to C for the time of one call: the library copies what it keeps.
func text(s string) (*C.char, C.size_t) {
	return (*C.char)(unsafe.Pointer(unsafe.StringData(s))), C.size_t(len(s))
}

// take reads `data` out of a result, or its error, and frees it.
func take(result *C.freshet_result, into any) error {
	defer C.freshet_result_free(&result)
	var size C.size_t
	if number := C.freshet_result_error(result); number != 0 {
		problem := &Problem{
			Code:       C.GoString(C.freshet_error_name(number)),
			RetryAfter: time.Duration(C.freshet_result_retry_after_s(result)) * time.Second,
		}
		body := C.freshet_result_body(result, &size)
		var document struct{ Detail string }
		if json.Unmarshal(C.GoBytes(unsafe.Pointer(body), C.int(size)), &document) == nil {
			problem.Detail = document.Detail
		}
		return problem
	}
	if into == nil {
		return nil
	}
	data := C.freshet_result_data(result, &size)
	return json.Unmarshal(C.GoBytes(unsafe.Pointer(data), C.int(size)), into)
}

// Client may be used by any number of goroutines.
type Client struct{ handle *C.freshet_client }

// Open opens the engine in this process; config is TOML.
func Open(config string) (*Client, error) {
	client := &Client{}
	bytes, size := text(config)
	opened := C.freshet_open(C.FRESHET_ABI, bytes, size, nil, nil, &client.handle)
	return client, take(opened, nil)
}

// Close cancels what still runs.
func (c *Client) Close() { C.freshet_client_free(&c.handle) }

// Call makes one call and decodes `data`; it ends early when the context does.
func (c *Client) Call(ctx context.Context, endpoint string, body any, data any) error {
	encoded, err := json.Marshal(body)
	if err != nil {
		return err
	}
	where, whereSize := text(endpoint)
	what, whatSize := text(string(encoded))
	call := C.freshet_client_start(c.handle, where, whereSize, what, whatSize, nil, 0)
	defer C.freshet_call_free(&call)
	over := make(chan struct{})
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		select {
		case <-ctx.Done():
			C.freshet_call_cancel(call)
		case <-over:
		}
	}()
	result := C.freshet_call_wait(call, -1)
	close(over)
	<-stopped // before the call is freed
	return take(result, data)
}

// Walk gives every page of a list to `each`, up to maxItems.
func Walk[T any](c *Client, endpoint string, body any, maxItems int64, each func([]T)) error {
	encoded, err := json.Marshal(body)
	if err != nil {
		return err
	}
	where, whereSize := text(endpoint)
	what, whatSize := text(string(encoded))
	pages := C.freshet_client_pages(c.handle, where, whereSize, what, whatSize, nil, 0, 0,
		C.int64_t(maxItems))
	defer C.freshet_pages_free(&pages)
	for {
		page := C.freshet_pages_next(pages)
		if page == nil {
			return nil
		}
		var items []T
		if err := take(page, &items); err != nil {
			return err
		}
		each(items)
	}
}

type post struct{ Title, URL string }

func run(words string) error {
	client, err := Open("network.sandbox = true")
	if err != nil {
		return err
	}
	defer client.Close()
	body := map[string]any{"q": words, "limit": 10}
	err = Walk(client, "forum/search", body, 25, func(items []post) {
		for _, one := range items {
			fmt.Println(one.Title, one.URL)
		}
	})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	var document struct{ Markdown string }
	page := map[string]any{"url": "https://example.com/tide-gauges", "max_tokens": 800}
	if err := client.Call(ctx, "scrape/markdown", page, &document); err != nil {
		return err
	}
	fmt.Println(document.Markdown)
	var problem *Problem
	if err := client.Call(ctx, "forum/search", map[string]any{"sinse": "7d"}, nil); errors.As(err, &problem) {
		fmt.Println(problem.Code)
	}
	return nil
}

func main() {
	words := "climate"
	if len(os.Args) > 1 {
		words = os.Args[1]
	}
	if err := run(words); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
