// Package curvekit calls the HTTP APIs of a launchpad: market, rewards and partner.
//
// The package api is generated. This one adds what a generator cannot: requests that a wallet signs, lists page by page, errors
// with their codes, and amounts.
package curvekit

//go:generate ./generate.sh

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/curvekit/curvekit/sdk/go/api"
)

// Client has the generated services: MarketAPI, RewardsAPI, PartnerAPIAPI, LaunchpadAPI. Pass what their calls return to Do.
type Client struct {
	*api.APIClient
	transport *transport
}

// Option of New.
type Option func(*transport)

// WithAPIKey authenticates a partner. The key is a secret: keep it on a server.
func WithAPIKey(key string) Option { return func(t *transport) { t.apiKey = key } }

// WithWallet signs the requests for this wallet's rewards. A signature fits one request only.
func WithWallet(key ed25519.PrivateKey) Option { return func(t *transport) { t.wallet = key } }

// WithTransport sends requests another way than http.DefaultTransport.
func WithTransport(next http.RoundTripper) Option { return func(t *transport) { t.next = next } }

// New makes a client for the URL of a launchpad's service.
func New(service string, options ...Option) (*Client, error) {
	base, err := url.Parse(strings.TrimRight(service, "/"))
	if err != nil || base.Host == "" || (base.Scheme != "http" && base.Scheme != "https") {
		return nil, fmt.Errorf("service is %q; it must be an http or https URL", service)
	}
	t := &transport{next: http.DefaultTransport, prefix: base.Path}
	for _, option := range options {
		option(t)
	}
	if t.wallet != nil && len(t.wallet) != ed25519.PrivateKeySize {
		return nil, fmt.Errorf("wallet has %d bytes; it must have %d: use ReadWallet", len(t.wallet), ed25519.PrivateKeySize)
	}
	configuration := api.NewConfiguration()
	configuration.Servers = api.ServerConfigurations{{URL: base.String()}}
	// A redirect would carry the key and the signature to another host.
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	configuration.HTTPClient = &http.Client{Transport: t, Timeout: 30 * time.Second, CheckRedirect: stay}
	return &Client{api.NewAPIClient(configuration), t}, nil
}

// Address is the wallet's address, empty without a wallet.
func (c *Client) Address() string {
	if c.transport.wallet == nil {
		return ""
	}
	return Base58(c.transport.wallet.Public().(ed25519.PublicKey))
}

// Tokens calls each for all tokens, the newest first, until it returns an error.
func (c *Client) Tokens(ctx context.Context, each func(api.TokenSummary) error) error {
	return list(c.MarketAPI.ListTokens(ctx).Limit(100), each, func(page *api.TokenPage, _ http.Header) ([]api.TokenSummary, *string) {
		return page.Items, page.Next.Get()
	})
}

// Trades calls each for all trades of a token, the newest first, until it returns an error.
func (c *Client) Trades(ctx context.Context, mint string, each func(api.Trade) error) error {
	return list(c.MarketAPI.ListTokenTrades(ctx, mint).Limit(200), each, func(page *api.TradePage, _ http.Header) ([]api.Trade, *string) {
		return page.Items, page.Next.Get()
	})
}

// Users calls each for all users of the partner, until it returns an error.
func (c *Client) Users(ctx context.Context, each func(api.PartnerUser) error) error {
	return list(c.PartnerAPIAPI.ListUsers(ctx).Limit(100), each, func(page *api.PartnerUsers, _ http.Header) ([]api.PartnerUser, *string) {
		return page.Users, page.NextCursor.Get()
	})
}

// The link names a host too, which must not decide where a signed request goes.
var nextLink = regexp.MustCompile(`[?&]cursor=([\w-]+)[^>]*>; *rel="?next`)

// Rewards calls each for the wallet's rewards of each token, until it returns an error.
func (c *Client) Rewards(ctx context.Context, each func(api.RewardEntry) error) error {
	return list(c.RewardsAPI.GetRewards(ctx, c.Address()), each, func(page *api.GetRewards200Response, header http.Header) ([]api.RewardEntry, *string) {
		if link := nextLink.FindStringSubmatch(header.Get("Link")); link != nil {
			return page.Data, &link[1]
		}
		return page.Data, nil
	})
}

// A generated request for one page of a list.
type listing[Self, Page any] interface {
	Cursor(cursor string) Self
	Execute() (*Page, *http.Response, error)
}

func list[Request listing[Request, Page], Page, Item any](
	request Request, each func(Item) error, read func(*Page, http.Header) ([]Item, *string),
) error {
	for last := ""; ; {
		page, response, err := request.Execute()
		if page, err = Do(page, response, err); err != nil {
			return err
		}
		items, next := read(page, response.Header)
		for _, item := range items {
			if err := each(item); err != nil {
				return err
			}
		}
		// A list that never ends is not the service's.
		if next == nil || len(items) == 0 || *next == last {
			return nil
		}
		last, request = *next, request.Cursor(*next)
	}
}

type transport struct {
	next   http.RoundTripper
	prefix string
	apiKey string
	wallet ed25519.PrivateKey
}

func (t *transport) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	path := strings.TrimPrefix(request.URL.Path, t.prefix)
	if t.apiKey != "" {
		request.Header.Set("x-api-key", t.apiKey)
	}
	if t.wallet != nil && strings.HasPrefix(path, "/rewards/") {
		var body []byte
		if request.Body != nil {
			read, err := io.ReadAll(request.Body)
			if err != nil {
				return nil, err
			}
			body = read
			request.Body = io.NopCloser(bytes.NewReader(body))
		}
		now := strconv.FormatInt(time.Now().UnixMilli(), 10)
		text := fmt.Sprintf("%s\n%s\n%s\n%x", now, request.Method, path, sha256.Sum256(body))
		request.Header.Set("X-Timestamp", now)
		request.Header.Set("X-Signature", Base58(ed25519.Sign(t.wallet, []byte(text))))
		request.Header.Set("X-Signature-Scheme", "bound")
	}
	return t.next.RoundTrip(request)
}
