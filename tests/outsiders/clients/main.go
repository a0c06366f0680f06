// Called with the client that openapi-generator makes for Go. Prints what it has read.
package main

import (
	"context"
	"encoding/json"
	"os"
	"outsider/launchpad"
)

func must[T any](answer *T, response any, err error) *T {
	if err != nil {
		panic(err)
	}
	return answer
}

func main() {
	url, mint, wallet, timestamp, signature, key := os.Args[1], os.Args[2], os.Args[3], os.Args[4], os.Args[5], os.Args[6]
	configuration := launchpad.NewConfiguration()
	configuration.Servers = launchpad.ServerConfigurations{{URL: url}}
	client := launchpad.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), launchpad.ContextAPIKeys, map[string]launchpad.APIKey{
		"timestamp": {Key: timestamp}, "signature": {Key: signature}, "apiKey": {Key: key},
	})
	page, _, err := client.MarketAPI.ListTokens(ctx).Limit(3).Execute()
	tokens := must(page, nil, err)
	token, _, err := client.MarketAPI.GetToken(ctx, mint).Execute()
	symbol := must(token, nil, err).Symbol
	list, _, err := client.MarketAPI.ListTokenTrades(ctx, mint).Execute()
	trade := must(list, nil, err).Items[0]
	prices, _, err := client.MarketAPI.ListCandles(ctx, mint).Interval(60).Execute()
	candle := must(prices, nil, err).Candles[0]
	totals, _, err := client.PartnerAPIAPI.GetPartnerStats(ctx).Execute()
	stats := must(totals, nil, err)
	rewards, _, err := client.RewardsAPI.GetRewards(ctx, wallet).Execute()
	entry := must(rewards, nil, err).Data[0]
	_, response, _ := client.MarketAPI.GetToken(ctx, wallet).Execute()
	printed, _ := json.Marshal(map[string]any{
		"mints": []string{tokens.Items[0].Mint, tokens.Items[1].Mint, tokens.Items[2].Mint}, "symbol": symbol,
		"signature": trade.Signature, "slot": trade.Slot, "solAmount": trade.SolAmount, "opened": candle[1],
		"volumeSol": stats.VolumeSol, "sol": entry.AllTimeRewards.Sol, "missing": response.StatusCode,
	})
	os.Stdout.Write(printed)
}
