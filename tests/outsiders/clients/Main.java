// Called with the client that openapi-generator makes for Java, in its library `native`. Prints what it has read.
import java.util.LinkedHashMap;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.MarketApi;
import org.openapitools.client.api.PartnerApiApi;
import org.openapitools.client.api.RewardsApi;
import org.openapitools.client.model.Trade;

public class Main {
  public static void main(String[] given) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(given[0]);
    client.setRequestInterceptor(
        request -> request.header("X-Timestamp", given[3]).header("X-Signature", given[4]).header("x-api-key", given[5]));
    String mint = given[1], wallet = given[2];
    MarketApi market = new MarketApi(client);
    Map<String, Object> read = new LinkedHashMap<>();
    read.put("mints", market.listTokens(null, null, null, null, null, null, null, 3, null, null).getItems().stream().map(token -> token.getMint()).toArray());
    read.put("symbol", market.getToken(mint).getSymbol());
    Trade trade = market.listTokenTrades(mint, null, null, 1, null, null).getItems().get(0);
    read.put("signature", trade.getSignature());
    read.put("slot", trade.getSlot());
    read.put("solAmount", trade.getSolAmount());
    read.put("opened", market.listCandles(mint, 60, null, null).getCandles().get(0).get(1));
    read.put("volumeSol", new PartnerApiApi(client).getPartnerStats().getVolumeSol());
    read.put("sol", new RewardsApi(client).getRewards(wallet, null, null, null, null).getData().get(0).getAllTimeRewards().getSol());
    try {
      market.getToken(wallet);
    } catch (ApiException error) {
      read.put("missing", error.getCode());
    }
    System.out.print(client.getObjectMapper().writeValueAsString(read));
  }
}
