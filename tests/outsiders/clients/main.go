// Called with the client in sdk/go. Prints what it has read.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"

	curvekit "github.com/curvekit/curvekit/sdk/go"
	"github.com/curvekit/curvekit/sdk/go/api"
)

func must[T any](answer T, err error) T {
	if err != nil {
		panic(err)
	}
	return answer
}

var enough = errors.New("enough")

func first[T any](list func(each func(T) error) error) (found T) {
	err := list(func(item T) error { found = item; return enough })
	if err != enough {
		panic(err)
	}
	return found
}

func main() {
	url, mint := os.Args[1], os.Args[2]
	wallet := must(curvekit.ReadWallet(os.Getenv("KEYPAIR")))
	client := must(curvekit.New(url+"/", curvekit.WithWallet(wallet), curvekit.WithAPIKey(os.Getenv("API_KEY"))))
	ctx := context.Background()
	page := must(curvekit.Do(client.MarketAPI.ListTokens(ctx).Limit(3).Execute()))
	trade := first(func(each func(api.Trade) error) error { return client.Trades(ctx, mint, each) })
	reward := first(func(each func(api.RewardEntry) error) error { return client.Rewards(ctx, each) })
	candle := must(curvekit.Do(client.MarketAPI.ListCandles(ctx, mint).Interval(60).Execute())).Candles[0]
	stats := must(curvekit.Do(client.PartnerAPIAPI.GetPartnerStats(ctx).Execute()))
	_, err := curvekit.Do(client.MarketAPI.GetToken(ctx, client.Address()).Execute())
	var refusal *curvekit.Error
	if !errors.As(err, &refusal) || refusal.Code != "TOKEN_NOT_FOUND" {
		panic(err)
	}
	printed, _ := json.Marshal(map[string]any{
		"mints":  []string{page.Items[0].Mint, page.Items[1].Mint, page.Items[2].Mint},
		"symbol": must(curvekit.Do(client.MarketAPI.GetToken(ctx, mint).Execute())).Symbol,
		"signature": trade.Signature, "slot": trade.Slot, "solAmount": must(curvekit.Amount(trade.SolAmount)).String(),
		"opened": candle[1], "volumeSol": stats.VolumeSol, "sol": reward.AllTimeRewards.Sol, "missing": refusal.Status,
	})
	os.Stdout.Write(printed)
}
