"""The shop's fifty product types with their options and price ranges in dollars, as plain tables."""

PRODUCTS = """
T-Shirt | color: black, white, navy, olive, rust | size: S, M, L, XL | material: cotton, linen blend | 18-32
Hoodie | color: grey, black, burgundy, teal | size: S, M, L, XL | closure: zip, pullover | 45-70
Rain Jacket | color: yellow, navy, green | size: S, M, L, XL | lining: none, mesh, fleece | 80-140
Jeans | wash: light, dark, black | waist: 30, 32, 34, 36 | fit: slim, straight, relaxed | 55-90
Wool Sweater | color: cream, charcoal, forest | size: S, M, L, XL | neck: crew, roll, v | 60-110
Running Shoes | size: 7, 8, 9, 10, 11 | color: black, white, coral | sole: road, trail | 90-150
Leather Boots | size: 7, 8, 9, 10, 11 | color: tan, black | height: ankle, mid-calf | 130-220
Sandals | size: 6, 7, 8, 9, 10 | color: brown, black, sand | strap: single, double | 35-60
Baseball Cap | color: red, navy, khaki, black | closure: snap, buckle | material: cotton, corduroy | 18-30
Wristwatch | strap: leather, steel, silicone | dial: white, black, blue | movement: quartz, automatic | 120-380
Sunglasses | frame: black, tortoise, clear | lens: grey, brown, green | polarized: yes, no | 60-140
Backpack | capacity: 18 l, 25 l, 32 l | color: black, moss, slate | laptop sleeve: yes, no | 60-120
Suitcase | size: cabin, medium, large | color: silver, black, petrol | shell: hard, soft | 90-240
Wallet | color: brown, black, cognac | style: bifold, zip, card holder | material: leather, canvas | 25-70
Umbrella | size: compact, full | color: black, red, striped | opening: manual, automatic | 20-45
Desk Lamp | color: white, black, brass | power source: USB, mains | brightness: 400 lm, 800 lm, 1200 lm | 30-80
Floor Lamp | shade: linen, paper, metal | color: white, black, oak | dimmer: yes, no | 80-170
Office Chair | color: black, grey, blue | armrests: fixed, adjustable, none | back: mesh, fabric, leather | 150-420
Standing Desk | width: 120 cm, 140 cm, 160 cm | top: oak, walnut, white | drive: manual, electric | 240-560
Bookshelf | width: 60 cm, 80 cm | color: white, oak, black | shelves: 3, 4, 5 | 70-190
Bedside Table | color: white, oak, walnut | drawers: 1, 2, 3 | legs: wood, metal | 50-130
Throw Blanket | color: sand, teal, terracotta, grey | size: 130 x 170, 150 x 200 | material: wool, cotton | 35-95
Pillow | firmness: soft, medium, firm | size: 50 x 70, 65 x 65 | filling: down, memory foam, latex | 30-95
Bath Towel | color: white, sage, navy, rose | size: hand, bath, sheet | material: cotton, bamboo | 12-40
Curtains | color: white, grey, ochre | length: 220 cm, 245 cm, 260 cm | opacity: sheer, blackout | 40-110
Wall Clock | diameter: 25 cm, 30 cm, 40 cm | color: white, black, walnut | numerals: arabic, roman, none | 25-75
Frying Pan | diameter: 20 cm, 24 cm, 28 cm | coating: ceramic, steel, cast iron | lid: yes, no | 30-95
Saucepan | capacity: 1 l, 2 l, 3 l | material: steel, copper, enamel | lid: glass, steel | 30-120
Chef Knife | blade: 18 cm, 20 cm, 24 cm | handle: wood, resin, steel | steel: stainless, damascus | 45-180
Kettle | capacity: 1 l, 1.5 l, 1.7 l | material: steel, glass | temperature control: yes, no | 30-110
Coffee Maker | type: filter, espresso, moka | color: black, steel, red | timer: yes, no | 45-290
Toaster | slots: 2, 4 | color: steel, black, cream | warming rack: yes, no | 30-90
Blender | capacity: 1 l, 1.5 l, 2 l | jar: glass, plastic | speeds: 3, 5, 8 | 50-180
Water Bottle | capacity: 350 ml, 500 ml, 750 ml | material: steel, glass, tritan | color: black, mint, copper | 15-40
Lunch Box | compartments: 1, 2, 3 | material: steel, glass, bamboo | color: natural, black, blue | 18-45
Smartphone | storage: 128 GB, 256 GB, 512 GB | color: graphite, silver, green | screen: 6.1 inch, 6.7 inch | 480-1150
Tablet | storage: 64 GB, 128 GB, 256 GB | color: silver, grey, blue | network: Wi-Fi, Wi-Fi and 5G | 320-880
Laptop | memory: 8 GB, 16 GB, 32 GB | storage: 256 GB, 512 GB, 1 TB | screen: 13 inch, 15 inch | 720-2100
E-Reader | storage: 8 GB, 32 GB | screen: 6 inch, 7 inch, 8 inch | color: black, white, denim | 95-260
Headphones | type: over-ear, on-ear | color: black, white, blue | noise cancelling: yes, no | 60-320
Earbuds | color: black, white, lilac | fit: in-ear, open | water resistance: none, IPX4, IPX7 | 45-210
Bluetooth Speaker | color: black, red, teal | battery life: 10 hours, 20 hours | water resistance: yes, no | 40-190
Keyboard | switches: linear, tactile, clicky | layout: full, 75 %, 60 % | backlight: none, white, RGB | 60-190
Mouse | color: black, white, pink | connection: wired, wireless | sensor: optical, laser | 25-110
Monitor | size: 24 inch, 27 inch, 32 inch | resolution: full HD, QHD, 4K | panel: IPS, VA | 140-620
Webcam | resolution: 720p, 1080p, 4K | microphone: yes, no | mount: clip, tripod | 35-160
Yoga Mat | thickness: 4 mm, 6 mm, 8 mm | color: plum, sea, charcoal | material: rubber, cork, TPE | 25-90
Dumbbell Set | weight: 5 kg, 10 kg, 20 kg | coating: rubber, vinyl, chrome | set: fixed, adjustable | 30-190
Bicycle Helmet | size: S, M, L | color: white, black, lime | light: yes, no | 45-140
Board Game | players: 2-4, 2-6, 3-8 | language: English, Spanish, French | edition: standard, deluxe | 25-90
"""


def products() -> list[tuple[str, list[tuple[str, list[str]]], int, int]]:
    """Name, options with their values, lowest and highest price in whole dollars."""
    found = []
    for line in PRODUCTS.strip().splitlines():
        name, *options, prices = (part.strip() for part in line.split("|"))
        low, high = prices.split("-")
        choices = [(option.split(":")[0], [v.strip() for v in option.split(":")[1].split(",")]) for option in options]
        found.append((name, choices, int(low), int(high)))
    return found
