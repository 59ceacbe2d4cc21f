package tpch

import "strings"

// The vocabulary of the benchmark's schema. What the 22 questions ask for by name is in it.
var (
	regionNames = []string{"AFRICA", "AMERICA", "ASIA", "EUROPE", "MIDDLE EAST"}

	nations = []struct {
		name   string
		region int64
	}{
		{"ALGERIA", 0}, {"ARGENTINA", 1}, {"BRAZIL", 1}, {"CANADA", 1}, {"EGYPT", 4}, {"ETHIOPIA", 0}, {"FRANCE", 3},
		{"GERMANY", 3}, {"INDIA", 2}, {"INDONESIA", 2}, {"IRAN", 4}, {"IRAQ", 4}, {"JAPAN", 2}, {"JORDAN", 4}, {"KENYA", 0},
		{"MOROCCO", 0}, {"MOZAMBIQUE", 0}, {"PERU", 1}, {"CHINA", 2}, {"ROMANIA", 3}, {"SAUDI ARABIA", 4}, {"VIETNAM", 2},
		{"RUSSIA", 3}, {"UNITED KINGDOM", 3}, {"UNITED STATES", 1},
	}

	segments     = []string{"AUTOMOBILE", "BUILDING", "FURNITURE", "HOUSEHOLD", "MACHINERY"}
	priorities   = []string{"1-URGENT", "2-HIGH", "3-MEDIUM", "4-NOT SPECIFIED", "5-LOW"}
	modes        = []string{"AIR", "AIR REG", "FOB", "MAIL", "RAIL", "SHIP", "TRUCK"}
	instructions = []string{"COLLECT COD", "DELIVER IN PERSON", "NONE", "TAKE BACK RETURN"}

	sizesOfType = []string{"STANDARD", "SMALL", "MEDIUM", "LARGE", "ECONOMY", "PROMO"}
	finishes    = []string{"ANODIZED", "BURNISHED", "PLATED", "POLISHED", "BRUSHED"}
	metals      = []string{"TIN", "NICKEL", "BRASS", "STEEL", "COPPER"}

	packSizes = []string{"SM", "LG", "MED", "JUMBO", "WRAP"}
	packs     = []string{"CASE", "BOX", "BAG", "JAR", "PKG", "PACK", "CAN", "DRUM"}

	colours = strings.Fields(`almond antique aquamarine azure beige bisque black blanched blue blush brown burlywood
		burnished chartreuse chiffon chocolate coral cornflower cornsilk cream cyan dark deep dim dodger drab firebrick
		floral forest frosted gainsboro ghost goldenrod green grey honeydew hot indian ivory khaki lace lavender lawn
		lemon light lime linen magenta maroon medium metallic midnight mint misty moccasin navajo navy olive orange
		orchid pale papaya peach peru pink plum powder puff purple red rose rosy royal saddle salmon sandy seashell
		sienna sky slate smoke snow spring steel tan thistle tomato turquoise violet wheat white yellow`)

	words = strings.Fields(`about above according accounts across after against along among asymptotes attainments
		blithely bold boost braids busily carefully courts daringly decoys deposits dolphins doggedly engage even excuses
		express fluffily foxes furiously grouches haggle ideas instructions integrate ironic packages pending pinto
		platelets players quickly quietly regular ruthlessly sauternes sheaves silent slyly theodolites thinly
		unusual warhorses waters wake`)
)
