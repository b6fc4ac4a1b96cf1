"""What companies and funds are called."""

STARTS = (
    "Kelmar Ondine Brightwell Marsh Tarvo Alcott Brannock Calder Dunmore Elstow Farnham Gatwyn Holbeck Irwell Jessop "
    "Kirkby Lomond Melrose Norwick Orrin Penrose Quarley Redfern Selwyn Thornby Ullman Vardon Wexley Yarrow Zennor "
    "Ashdown Belmont Corvin Dalby Eastlake Fenwick Glenmore Harwood Ingleby Kestrel Linwood Merton Newbold Oakham "
    "Pelham Ransome Stanmore Tilbury Verity Westbury"
).split()
OTHER_STARTS = (
    "Arden Baxley Cawdor Denby Edgeware Foxley Garrick Hadley Iverson Jarrow Keswick Lambton Marlow Nesbit Oulton "
    "Pickford Quinby Rushmore Standish Trevor Upton Vexford Wilmot Yardley Zelland Aldwych Barlow Carmel Drayton "
    "Ensley Firth Granby Hollis Ivel Kenton Larkin Mortlake Newlyn Ormond Perrin Romsey Sutton Tamworth Ventnor Whitby "
    "Ambler Brixham Colby Dorset Evesham"
).split()
ENDS = {
    "energy": ("Energy", "Solar", "Oil", "Wind"),
    "health": ("Health", "Pharma", "Medical", "Labs"),
    "finance": ("Bank", "Capital", "Insurance", "Trust"),
    "tech": ("Systems", "Software", "Robotics", "Networks"),
    "food": ("Foods", "Bakeries", "Dairy", "Farms"),
    "transport": ("Freight", "Rail", "Shipping", "Airways"),
}
"""By sector."""
FUNDS, OTHER_FUNDS = ("Meridian", "Larkspur"), ("Beacon", "Harrow")
"""Who offers funds: each has one for every sector."""
