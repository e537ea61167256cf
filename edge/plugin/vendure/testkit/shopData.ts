import { LanguageCode } from "@vendure/core";
import type { InitialData } from "@vendure/core";

/** What a shop of tests has before its first order: one country, one tax, one way to send things. */
export const SHOP_DATA: InitialData = {
  defaultLanguage: LanguageCode.en,
  defaultZone: "Europe",
  taxRates: [{ name: "No Tax", percentage: 0 }],
  shippingMethods: [{ name: "By post", price: 0 }],
  paymentMethods: [],
  countries: [{ name: "Austria", code: "AT", zone: "Europe" }],
  collections: [],
};

/** Its products, as Vendure imports them: prices in whole units of the currency. */
export const PRODUCTS_CSV = `name,slug,description,assets,facets,optionGroups,optionValues,sku,price,taxCategory,stockOnHand,trackInventory,variantAssets,variantFacets
Tea,tea,,,,,,T1,12.50,standard,100,true,,
Pin,pin,,,,,,P1,0.07,standard,100,true,,
`;
