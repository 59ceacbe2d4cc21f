package demo

// category is a kind of goods. Prices and costs of what it holds follow from it.
type category struct {
	name     string
	group    int // position in categoryGroups
	taxRate  int64
	cost     [2]int // per cent of the price, from and to
	monthly  [12]int
	brands   []string
	lines    []string // words that makers put between the brand and the thing
	kinds    []subCategory
	returned int // how much more often than others it comes back
}

// subCategory is a shelf of a category.
type subCategory struct {
	name  string
	items []item
}

// item is a thing that several brands make; prices in yuan.
type item struct {
	name      string
	low, high int
}

var categoryGroups = []string{"Hardlines", "Softlines", "Consumables"}

var categories = []category{
	{
		name: "Electronics", group: 0, taxRate: 13, cost: [2]int{66, 80}, returned: 3,
		monthly: [12]int{24, 22, 23, 23, 24, 32, 24, 26, 29, 25, 34, 28},
		brands:  []string{"Voltaris", "Kinetiq", "Zentro", "Aurelux", "Pixelon", "Hanxing"},
		lines:   []string{"Air", "Pro", "Lite", "Max", "S2", "X5", "Neo", "Plus", "One", "Ultra"},
		kinds: []subCategory{
			{"Phones", []item{{"Smartphone", 899, 2999}, {"Feature Phone", 149, 399}, {"Phone Case", 19, 99}, {"Fast Charger", 39, 199}, {"Power Bank", 69, 299}}},
			{"Computers", []item{{"Laptop", 2199, 3200}, {"Tablet", 799, 2599}, {"Mechanical Keyboard", 129, 699}, {"Wireless Mouse", 39, 299}, {"Monitor", 599, 1899}}},
			{"Audio", []item{{"Earbuds", 99, 899}, {"Headphones", 149, 1599}, {"Bluetooth Speaker", 89, 699}, {"Soundbar", 399, 1799}}},
			{"Wearables", []item{{"Smartwatch", 299, 1999}, {"Fitness Band", 99, 349}, {"Watch Strap", 19, 129}}},
			{"Cameras", []item{{"Action Camera", 699, 2499}, {"Webcam", 99, 499}, {"Tripod", 59, 399}, {"Memory Card", 35, 259}}},
		},
	},
	{
		name: "Clothing", group: 1, taxRate: 13, cost: [2]int{38, 54}, returned: 5,
		monthly: [12]int{20, 18, 22, 23, 22, 20, 18, 18, 23, 25, 25, 23},
		brands:  []string{"Yunshang", "Northfold", "Velmora", "Cottonique", "Qiaofeng", "Urbanelle"},
		lines:   []string{"Classic", "Slim", "Relaxed", "Linen", "Merino", "Denim", "Everyday", "Heritage", "Cotton", "Soft"},
		kinds: []subCategory{
			{"Menswear", []item{{"Oxford Shirt", 99, 399}, {"Chinos", 129, 459}, {"Polo Shirt", 79, 299}, {"Blazer", 299, 999}}},
			{"Womenswear", []item{{"Dress", 129, 799}, {"Blouse", 89, 399}, {"Skirt", 89, 359}, {"Cardigan", 129, 499}}},
			{"Shoes", []item{{"Sneakers", 159, 899}, {"Loafers", 199, 759}, {"Sandals", 69, 299}, {"Boots", 259, 999}}},
			{"Outerwear", []item{{"Down Jacket", 399, 1599}, {"Trench Coat", 359, 1299}, {"Windbreaker", 199, 699}}},
			{"Accessories", []item{{"Belt", 49, 259}, {"Scarf", 39, 299}, {"Baseball Cap", 29, 129}, {"Socks 5-Pack", 25, 79}}},
		},
	},
	{
		name: "Home", group: 0, taxRate: 13, cost: [2]int{48, 64}, returned: 2,
		monthly: [12]int{17, 15, 20, 21, 20, 21, 19, 19, 20, 20, 23, 19},
		brands:  []string{"Jiahe", "Hearthline", "Lunova", "Mubai", "Casaverde", "Tidywell"},
		lines:   []string{"Oak", "Bamboo", "Stone", "Nordic", "Zen", "Compact", "Deluxe", "Studio", "Calm", "Daily"},
		kinds: []subCategory{
			{"Kitchen", []item{{"Rice Cooker", 159, 899}, {"Frying Pan", 69, 349}, {"Knife Set", 99, 499}, {"Thermos Flask", 49, 229}, {"Electric Kettle", 69, 299}}},
			{"Bedding", []item{{"Duvet", 199, 999}, {"Sheet Set", 129, 599}, {"Memory Pillow", 59, 299}, {"Mattress Topper", 259, 1199}}},
			{"Furniture", []item{{"Office Chair", 299, 1699}, {"Bookshelf", 199, 999}, {"Coffee Table", 259, 1299}, {"Side Table", 99, 459}}},
			{"Lighting", []item{{"Desk Lamp", 49, 359}, {"Floor Lamp", 129, 699}, {"Night Light", 19, 89}}},
			{"Cleaning", []item{{"Vacuum Cleaner", 399, 1999}, {"Spin Mop", 59, 199}, {"Storage Box", 19, 99}, {"Laundry Basket", 29, 119}}},
		},
	},
	{
		name: "Food", group: 2, taxRate: 9, cost: [2]int{56, 72}, returned: 1,
		monthly: [12]int{34, 30, 22, 21, 22, 20, 22, 22, 28, 22, 20, 25},
		brands:  []string{"Xiangman", "Greenacre", "Daohe", "Sunvale", "Chayuan", "Goldgrain"},
		lines:   []string{"Original", "Organic", "Select", "Family", "Reserve", "Golden", "Country", "Fresh", "Signature", "Harvest"},
		kinds: []subCategory{
			{"Snacks", []item{{"Mixed Nuts", 29, 119}, {"Seaweed Crisps", 6, 35}, {"Butter Cookies", 15, 69}, {"Dried Mango", 15, 49}}},
			{"Drinks", []item{{"Sparkling Water", 5, 39}, {"Orange Juice", 12, 49}, {"Coffee Beans", 45, 189}, {"Oat Milk", 12, 69}}},
			{"Tea", []item{{"Green Tea", 39, 299}, {"Oolong Tea", 49, 359}, {"Jasmine Tea", 29, 199}, {"Pu'er Tea Cake", 99, 499}}},
			{"Pantry", []item{{"Jasmine Rice 5 kg", 35, 109}, {"Olive Oil", 59, 219}, {"Soy Sauce", 7, 39}, {"Noodles", 6, 45}, {"Honey", 29, 129}}},
			{"Gifts", []item{{"Mooncake Box", 99, 399}, {"Chocolate Box", 59, 299}, {"New Year Hamper", 129, 599}}},
		},
	},
	{
		name: "Beauty", group: 2, taxRate: 13, cost: [2]int{32, 48}, returned: 2,
		monthly: [12]int{17, 18, 21, 18, 21, 22, 18, 18, 19, 18, 25, 22},
		brands:  []string{"Rosalind", "Huamei", "Lumière", "Silkenne", "Baicao", "Purevia"},
		lines:   []string{"Hydra", "Glow", "Pearl", "Botanic", "Renew", "Velvet", "Pure", "Radiance", "Dew", "Silk"},
		kinds: []subCategory{
			{"Skincare", []item{{"Face Cream", 79, 599}, {"Serum", 99, 799}, {"Cleanser", 39, 199}, {"Sheet Mask 10-Pack", 49, 199}, {"Sunscreen", 49, 229}}},
			{"Makeup", []item{{"Lipstick", 49, 329}, {"Foundation", 89, 459}, {"Mascara", 39, 199}, {"Eyeshadow Palette", 79, 399}}},
			{"Haircare", []item{{"Shampoo", 29, 159}, {"Hair Mask", 35, 189}, {"Hair Oil", 39, 219}}},
			{"Fragrance", []item{{"Eau de Parfum", 199, 999}, {"Body Mist", 49, 199}, {"Scented Candle", 59, 299}}},
			{"Personal Care", []item{{"Shower Gel", 19, 99}, {"Hand Cream", 19, 89}, {"Electric Toothbrush", 99, 599}, {"Toothpaste", 8, 39}}},
		},
	},
}
