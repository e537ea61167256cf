/* The payment method in the checkout block. It shows title and description; paying happens on the page that the server names. */
(function (registry, settings, element, htmlEntities) {
  "use strict";
  const data = settings.getSetting("svc_gateway_data", {});
  const text = (value) => htmlEntities.decodeEntities(value || "");
  const title = text(data.title);
  const content = element.createElement("p", null, text(data.description));
  registry.registerPaymentMethod({
    name: "svc_gateway",
    label: element.createElement("span", null, title),
    ariaLabel: title,
    content: content,
    edit: content,
    canMakePayment: () => true,
    supports: { features: data.supports || [] },
  });
})(window.wc.wcBlocksRegistry, window.wc.wcSettings, window.wp.element, window.wp.htmlEntities);
